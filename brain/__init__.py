"""brain runs a local assistant from one JSON file; its owner decides, and sees, what it does."""

__version__ = "0.1.0"
