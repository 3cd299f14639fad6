// What came of a forgetting: its rows are gone at once, the files behind them are cleaned and searched next.

import { call } from "./api.js";
import { counted, el, fill } from "./dom.js";

const SAID = {
  clean: () => "No copy is left in brain's files.",
  elsewhere: () => "brain's files are clean. The same words are still elsewhere:",
  found: () => "Bytes are left in brain's files. Remove these once nobody uses them:",
  incomplete: () => "Not every file could be searched. Look into these yourself:",
  unsearched: () => "The files were cleaned and not searched: what they would be searched by was gone.",
};
const ROWS = { turns: "the transcript", notes: "notes", rehearsals: "rehearsals", events: "names in the record" };

/** The outcome of the last forgetting of this page, in words; hidden before there is one. */
export class Outcome {
  constructor() {
    this.id = "";
    this.what = "";
    this.root = el("div", { class: "outcome", role: "status", hidden: true });
  }

  /** Says what is gone, and from then on what came of its files. */
  async follow(id, what) {
    this.id = id;
    this.what = what;
    this.root.hidden = false;
    this.say("", id ? "Its files are being cleaned and searched …" : "");
    await this.look();
  }

  /** Looks whether the files are done. Called again when the record says so. */
  async look() {
    const { id } = this;
    if (!id) return;
    try {
      const { receipt } = await call("GET", `/v1/forgettings/${encodeURIComponent(id)}`);
      if (receipt === null || id !== this.id) return;
      this.id = "";
      this.say(receipt.outcome, SAID[receipt.outcome]?.() ?? receipt.outcome, places(receipt), counted(receipt.files.length, "file"));
    } catch (error) {
      if (id === this.id) this.say("", `What came of its files can't be had now: ${error.message}`);
    }
  }

  say(outcome, told, places = [], searched = "") {
    fill(
      this.root,
      el("p", {}, el("strong", {}, this.what), " ", told, searched && el("span", { class: "hint" }, ` ${searched} searched.`)),
      places.length > 0 && el("ul", {}, places.map((place) => el("li", {}, place))),
    );
    this.root.className = ["outcome", outcome].filter(Boolean).join(" ");
  }
}

function places({ found = [], unread = [], rows = {}, copies = [], other_files = [], copies_unsearched = [] }) {
  return [
    ...found,
    ...unread.map(({ path, why }) => `${path}: ${why}`),
    ...Object.entries(rows).map(([table, count]) => `${ROWS[table] ?? table.replaceAll("_", " ")}: ${counted(count, "row")} with some of the same words`),
    ...copies.map((path) => `a copy of the data folder: ${path}`),
    ...other_files.map((path) => `a file that is not brain's: ${path}`),
    ...copies_unsearched.map((path) => `perhaps, too much to be searched: ${path}`),
  ];
}
