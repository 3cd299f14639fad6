"""A store as lines of a file, and such a file taken up by a store.

Decides what a line holds, whether a file is whole, and what becomes of each row of it: new, there
already, or refused, by the rules that hold for every note. Never changes a row that is in the store,
never makes a private row public, never takes up a file in part that it was not told to. Events are
no part of an export: they are the record of one store, chained to it.

    write_export(store, recorder, storage, target, selection=, now=) -> Header
    plan_import(store, recorder, config, path, what=) -> Import             changes nothing
    import_file(store, recorder, config, path, what=, without_refused=) -> Import
    render_export_schema() -> str                                           pure
"""

from brain.transfer.arriving import Fate
from brain.transfer.lines import Header, Record, render
from brain.transfer.reading import FaultyFile, read_lines
from brain.transfer.schema import render_export_schema
from brain.transfer.shapes import COUNTED, WHAT, Fault
from brain.transfer.taking import Import, import_file, plan_import, refused_error
from brain.transfer.writing import Selection, write_export

__all__ = [
    "COUNTED",
    "WHAT",
    "Fate",
    "Fault",
    "FaultyFile",
    "Header",
    "Import",
    "Record",
    "Selection",
    "import_file",
    "plan_import",
    "read_lines",
    "refused_error",
    "render",
    "render_export_schema",
    "write_export",
]
