// The list of talks, and the choice among the sessions of the open one: both come page by page.

import { el, fill, momentOf } from "./dom.js";
import { earlierButton, Pages } from "./pages.js";

const EARLIER = "earlier";

export function isSame(talk, open) {
  return open !== null && talk.conversation === open.conversation && (talk.channel === open.channel || !open.channel);
}

export class TalkList {
  constructor(choose) {
    this.choose = choose;
    this.pages = null;
    this.root = el("ul", { class: "talk-list" });
  }

  get rows() {
    return this.pages?.rows ?? [];
  }

  /** Asks anew for as many talks as were shown. Throws ApiError. */
  async load() {
    const pages = new Pages("conversations", "/v1/conversations", {}, this.pages);
    await pages.load();
    this.pages = pages;
  }

  /** Shows the talks, the open one among them also where nothing was said in it yet. */
  show(open, error) {
    const isListed = this.rows.some((talk) => isSame(talk, open));
    const talks = isListed ? this.rows : [{ ...open, last_at: null }, ...this.rows];
    fill(
      this.root,
      talks.map((talk) => el("li", {}, this.button(talk, open))),
      this.pages && el("li", {}, earlierButton(this.pages, "Earlier talks", () => this.showEarlier(open))),
      error && el("li", { class: "hint" }, error.status === 404 ? "Earlier talks are not available." : error.message),
    );
    this.root.querySelector("[aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }

  async showEarlier(open) {
    const { pages } = this;
    const { scrollTop, scrollLeft } = this.root;
    const isFocused = document.activeElement?.matches(".talk-list .earlier");
    try {
      const [first] = await pages.more();
      if (pages !== this.pages || !first) return;
      this.show(open);
      this.root.scrollTo(scrollLeft, scrollTop);
      if (isFocused) this.root.children[pages.rows.indexOf(first)]?.querySelector("button")?.focus();
    } catch (error) {
      this.show(open, error);
    }
  }

  button(talk, open) {
    return el(
      "button",
      {
        class: "talk-button",
        "aria-current": isSame(talk, open) ? "true" : null,
        onclick: () => this.choose(talk),
      },
      el("span", { class: "talk-name" }, talk.conversation),
      el("span", { class: "hint" }, talk.channel, talk.last_at && el("time", { datetime: talk.last_at }, ` · ${momentOf(talk.last_at)}`)),
    );
  }
}

export class SessionChoice {
  /** `changed` is called once another session was chosen, `failed` where earlier ones did not come. */
  constructor(changed, failed) {
    this.pages = null;
    this.changed = changed;
    this.failed = failed;
    this.root = el("select", { "aria-label": "Session", hidden: true, onchange: () => this.chosen() });
  }

  get value() {
    return this.root.value;
  }

  get isActive() {
    return this.root.selectedIndex <= 0;
  }

  /** Asks for the sessions of a talk, and shows them unless they are outdated by then. Throws ApiError. */
  async load(id, isCurrent) {
    const pages = new Pages("sessions", `/v1/conversations/${encodeURIComponent(id)}`, {}, this.pages);
    await pages.load();
    if (!isCurrent()) return;
    this.pages = pages;
    this.show();
  }

  show() {
    const { rows, next } = this.pages;
    fill(
      this.root,
      rows.toReversed().map((each) => el("option", { value: each.number }, `Session ${each.number}${each === rows.at(-1) ? ", active" : ""}`)),
      next !== null && el("option", { value: EARLIER }, "Earlier sessions …"),
    );
    this.root.hidden = rows.length < 2;
  }

  hide() {
    this.root.hidden = true;
  }

  async chosen() {
    const { pages } = this;
    if (this.value === EARLIER) {
      try {
        const came = await pages.more();
        if (pages !== this.pages || !came.length) return;
        this.show();
        this.root.value = String(came.at(-1).number);
      } catch (error) {
        this.failed(error);
        return;
      }
    }
    await this.changed();
  }
}
