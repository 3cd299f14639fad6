// A listing that comes page by page: as much of it as is shown, and what comes before that.

import { call, withQuery } from "./api.js";
import { el } from "./dom.js";

const PAGE = 200;
const AT_MOST = 1000;

export class Pages {
  /** `of` is the member of an answer that holds the rows. As many are asked for as `shown` had of the same. */
  constructor(of, path, query = {}, shown = null) {
    this.of = of;
    this.path = path;
    this.query = query;
    this.key = withQuery(path, query);
    this.size = shown?.key === this.key ? shown.rows.length : 0;
    this.rows = [];
    this.next = null;
    this.coming = null;
  }

  /** Asks for the first page, and on for as much as was shown before. Throws ApiError. */
  async load() {
    await this.ask({ limit: Math.min(AT_MOST, Math.max(PAGE, this.size)) });
    while (this.next !== null && this.rows.length < this.size) await this.ask({ before: this.next, limit: AT_MOST });
    return this.rows;
  }

  /** Asks for the page behind what there is, and returns its rows; none where it comes already. Throws ApiError. */
  async more() {
    if (this.next === null || this.coming) return [];
    this.coming = this.ask({ before: this.next });
    try {
      return await this.coming;
    } finally {
      this.coming = null;
    }
  }

  async ask(query) {
    const page = await call("GET", withQuery(this.path, { ...this.query, ...query }));
    const rows = page[this.of];
    // Turns and sessions come the oldest first, so that an earlier page stands before the one that is there.
    this.rows = this.of === "conversations" ? [...this.rows, ...rows] : [...rows, ...this.rows];
    this.next = page.next;
    return rows;
  }
}

/** Returns the button that asks for the page behind, or nothing where there is none. */
export function earlierButton(pages, words, onclick) {
  return pages.next !== null && el("button", { class: "quiet earlier", onclick }, words);
}

/** Returns what puts the turn that is being read back in its place, once the rows around it were changed. */
export function placeOf(list) {
  const top = (row) => row.getBoundingClientRect().top;
  const read = [...list.children].find((row) => row.dataset.turn && row.getBoundingClientRect().bottom > top(list));
  if (!read) return () => {};
  const { turn } = read.dataset;
  const was = top(read);
  return () => {
    const row = list.querySelector(`:scope > [data-turn="${turn}"]`);
    if (row) list.scrollTop += top(row) - was;
  };
}
