// The box of notes, and beside it the box as it would be were the rehearsals promoted.

import { call, withQuery } from "./api.js";
import { ask, counted, el, empty, fill, loading, momentOf, say, sentenceOf, trouble } from "./dom.js";
import { Outcome } from "./outcome.js";
import { Pages } from "./pages.js";

const EARLIER = "earlier";

/** Why a would-be note would not be stored. */
const REFUSALS = {
  duplicate: "a note says the same",
  full: "the box is full",
  no_room: "it would not fit the prompt",
};

export class NotesPanel {
  constructor(root, state) {
    this.state = state;
    this.isStale = true;
    this.shown = ""; // what the body shows, as JSON
    this.asked = 0; // how many times it was asked anew: only the last answer counts
    this.brain = el("select", { id: "notes-brain", onchange: () => this.refresh() });
    this.talkPages = null;
    this.talk = el("select", { id: "notes-talk", onchange: () => this.chooseTalk() });
    this.body = el("div", { class: "notes-body" });
    this.outcome = new Outcome();
    this.talkField = el("div", { class: "field" }, el("label", { for: "notes-talk" }, "Talk"), this.talk);
    fill(
      root,
      el(
        "div",
        { class: "panel-head" },
        el("div", {}, el("h2", {}, "Notes"), el("p", { class: "lead" }, "What the assistant remembers, and what it only rehearsed.")),
        el(
          "div",
          { class: "row" },
          el("div", { class: "field" }, el("label", { for: "notes-brain" }, "Brain"), this.brain),
          this.talkField,
        ),
      ),
      this.outcome.root,
      this.body,
    );
  }

  async show() {
    if (!this.isStale && this.body.childElementCount) return;
    fill(this.body, loading("the notes"));
    await this.refresh();
  }

  get memory() {
    return this.state.brain(this.brain.value)?.memory ?? null;
  }

  async refresh() {
    this.isStale = false;
    void this.outcome.look();
    this.asked += 1;
    const { asked } = this;
    if (!this.state.isOperator) return fill(this.body, trouble({ status: 403, message: "Notes of a brain are the operator's to judge." }));
    this.showBrains();
    await this.showTalks();
    if (asked !== this.asked) return undefined;
    if (!this.memory) {
      return fill(this.body, empty("No notes here", 'This brain has no "memory" block under "agent" in the config, so it remembers nothing.'));
    }
    return await this.load(asked);
  }

  showBrains() {
    const chosen = this.brain.value;
    const names = this.state.brainNames;
    fill(this.brain, names.map((name) => el("option", { value: name }, name)));
    const ofTalk = this.state.brainOf(this.state.talk.channel);
    this.brain.value = names.includes(chosen) ? chosen : ofTalk || (names[0] ?? "");
    this.brain.parentElement.hidden = names.length < 2;
  }

  async showTalks() {
    this.talkField.hidden = this.memory?.scope !== "conversation";
    if (this.talkField.hidden) return;
    const chosen = this.talk.value || keyOf(this.state.talk);
    const channels = this.state.brain(this.brain.value).channels;
    const pages = new Pages("conversations", "/v1/conversations", {}, this.talkPages);
    try {
      await pages.load();
      this.talkPages = pages;
    } catch {
      // Without the listing the box of the open talk can be seen all the same.
    }
    this.fillTalks(pages, channels, chosen);
  }

  fillTalks(pages, channels, chosen) {
    const talks = pages.rows.filter((talk) => channels.includes(talk.channel));
    const { talk } = this.state;
    if (!talks.some((each) => keyOf(each) === keyOf(talk)) && channels.includes(talk.channel)) talks.unshift(talk);
    fill(
      this.talk,
      talks.map((each) => el("option", { value: keyOf(each) }, `${each.conversation} (${each.channel})`)),
      pages.next !== null && el("option", { value: EARLIER }, "Earlier talks …"),
    );
    this.talk.value = talks.some((each) => keyOf(each) === chosen) ? chosen : (this.talk.options[0]?.value ?? "");
  }

  async chooseTalk() {
    if (this.talk.value !== EARLIER) return this.refresh();
    const pages = this.talkPages;
    const { channels } = this.state.brain(this.brain.value);
    const came = (await pages.more().catch(() => [])).find((talk) => channels.includes(talk.channel));
    if (pages === this.talkPages) this.fillTalks(pages, channels, came ? keyOf(came) : keyOf(this.state.talk));
    return this.refresh();
  }

  path(rest) {
    const { channel, conversation } = this.talk.value && !this.talkField.hidden ? JSON.parse(this.talk.value) : {};
    return withQuery(`/v1/brains/${encodeURIComponent(this.brain.value)}/${rest}`, { channel, conversation });
  }

  async load(asked) {
    const [box, rehearsed] = await Promise.all([
      call("GET", this.path("notes")).catch((error) => error),
      call("GET", this.path("rehearsals")).catch((error) => error),
    ]);
    if (asked !== this.asked) return;
    if (box instanceof Error) {
      fill(this.body, trouble(box, () => this.refresh()));
      return;
    }
    const shown = rehearsed instanceof Error ? "" : JSON.stringify([box, rehearsed]);
    // A button that is being pressed must not be replaced by its like: the press would be lost.
    if (shown && shown === this.shown && this.body.querySelector(".beside")) return;
    this.shown = shown;
    const held = this.body.contains(document.activeElement) ? document.activeElement : null;
    const typed = this.body.querySelector("#note-text")?.value ?? "";
    fill(this.body, el("div", { class: "beside" }, this.asItIs(box, typed), this.asItWouldBe(box, rehearsed)));
    if (held) this.focusLike(held);
  }

  /** Puts the focus where it was; where that is gone, on what can be judged next. */
  focusLike(held) {
    const label = held.getAttribute("aria-label");
    const same = label ? this.body.querySelector(`[aria-label="${CSS.escape(label)}"]`) : held.id && this.body.querySelector(`#${held.id}`);
    (same || this.body.querySelector(".note button.primary") || this.body.querySelector("#note-text")).focus();
  }

  /** What one can do about an empty box: another talk may have kept what is looked for here. */
  whereElse() {
    const others = this.talkField.hidden ? 0 : this.talk.options.length - 1;
    const elsewhere = others ? " Each talk has a box of its own: choose another one above to see its notes." : "";
    return `Add a note of your own, or promote a rehearsal.${elsewhere}`;
  }

  asItIs(box, typed) {
    const count = box.notes.length;
    const text = el("input", { id: "note-text", value: typed, placeholder: "A note of your own", autocomplete: "off", maxlength: "2000", required: true });
    return el(
      "section",
      { class: "card", "aria-labelledby": "box-title" },
      el(
        "div",
        { class: "card-head" },
        el("h3", { id: "box-title" }, "As it is"),
        el("span", { class: "hint" }, `${count} of ${box.max_notes}${count >= box.max_notes ? ", full" : ""}`),
      ),
      el("p", { class: "hint" }, scopeWords(box.box)),
      count
        ? el("ol", { class: "notes" }, box.notes.map((note) => this.noteRow(note)))
        : empty("The box is empty", this.whereElse()),
      el(
        "form",
        { class: "row add", onsubmit: (submit) => this.add(submit, text) },
        el("label", { for: "note-text", class: "unseen" }, "A note of your own"),
        text,
        el("button", {}, "Add note"),
      ),
      count + (box.rehearsals ?? 0) > 0 && el("button", { class: "quiet danger-text", onclick: () => this.clear(box) }, "Clear this box …"),
    );
  }

  noteRow(note) {
    const from = { model: "by the model", operator: "by you", promoted: "promoted by you", import: "imported" }[note.origin] ?? note.origin;
    return el(
      "li",
      { class: "note" },
      el("span", { class: "number" }, note.number),
      el(
        "div",
        { class: "grow" },
        el("p", { class: "note-text" }, note.text),
        el(
          "p",
          { class: "hint" },
          [momentOf(note.created_at), from, note.is_tainted && "from outside text"].filter(Boolean).join(" · "),
        ),
      ),
      el("button", { class: "small", "aria-label": `Drop note ${note.number}`, onclick: () => this.drop(note) }, "Drop"),
    );
  }

  asItWouldBe(box, rehearsed) {
    const head = (hint) => el("div", { class: "card-head" }, el("h3", { id: "would-title" }, "As it would be"), el("span", { class: "hint" }, hint));
    if (rehearsed instanceof Error) {
      return el("section", { class: "card would", "aria-labelledby": "would-title" }, head(""), trouble(rehearsed, () => this.refresh()));
    }
    const byNumber = new Map(rehearsed.rehearsals.map((each) => [each.number, each]));
    const { would_be, refused } = rehearsed.diff;
    const ofNotes = new Set([...would_be, ...refused].filter((line) => line.state !== "kept").map((line) => line.number));
    const others = rehearsed.rehearsals.filter((each) => !ofNotes.has(each.number));
    return el(
      "section",
      { class: "card would", "aria-labelledby": "would-title" },
      head(`${would_be.length} of ${rehearsed.max_notes}`),
      el("p", { class: "hint" }, "Were every rehearsal promoted. Nothing here is stored."),
      rehearsed.rehearsals.length
        ? el("ol", { class: "notes" }, would_be.map((line) => this.wouldRow(line, byNumber)))
        : empty("Nothing was rehearsed", "Where a grant says shadow, what the model wanted to note waits here for you."),
      refused.length > 0 && el("h4", {}, "Would be refused"),
      refused.length > 0 && el("ol", { class: "notes" }, refused.map((line) => this.wouldRow(line, byNumber))),
      others.length > 0 && el("h4", {}, "Rehearsals of other tools"),
      others.length > 0 &&
        el("ol", { class: "notes" }, others.map((each) => this.wouldRow({ state: "other", number: each.number, text: `${each.tool}: ${each.would}` }, byNumber))),
    );
  }

  wouldRow(line, byNumber) {
    if (line.state === "kept") {
      return el("li", { class: "note kept" }, el("span", { class: "number" }, line.number), el("p", { class: "note-text grow" }, line.text));
    }
    const rehearsal = byNumber.get(line.number);
    const isRefused = line.state !== "stored" && line.state !== "other";
    const why = isRefused && (REFUSALS[line.state] ?? line.state.replaceAll("_", " "));
    return el(
      "li",
      { class: isRefused ? "note refused" : "note new" },
      el("span", { class: "number" }, isRefused ? "–" : "+"),
      el(
        "div",
        { class: "grow" },
        el("p", { class: "note-text" }, line.text),
        el(
          "p",
          { class: "hint" },
          [
            why,
            `rehearsal ${line.number}`,
            rehearsal && momentOf(rehearsal.created_at),
            rehearsal?.held_for && `held: ${rehearsal.held_for}`,
            rehearsal?.expires_at && `until ${momentOf(rehearsal.expires_at)}`,
          ]
            .filter(Boolean)
            .join(" · "),
        ),
        el(
          "div",
          { class: "row" },
          el("button", { class: "small primary", "aria-label": `Promote rehearsal ${line.number}`, onclick: () => this.promote(line.number) }, "Promote"),
          el("button", { class: "small", "aria-label": `Discard rehearsal ${line.number}`, onclick: () => this.discard(line.number) }, "Discard"),
        ),
      ),
    );
  }

  async act(run, done) {
    try {
      const told = await run();
      say(done(told));
    } catch (error) {
      say(error.message);
    }
    await this.refresh();
  }

  add(submit, text) {
    submit.preventDefault();
    const note = text.value.trim();
    if (!note) return undefined;
    return this.act(
      async () => {
        const told = await call("POST", this.path("notes"), { body: { text: note } });
        text.value = "";
        return told;
      },
      (told) => sentenceOf(told.effect?.line ?? "stored"),
    );
  }

  drop(note) {
    ask({
      title: `Drop note ${note.number}?`,
      body: el("blockquote", {}, note.text),
      yes: "Drop it",
      isDangerous: true,
      run: async () => {
        const told = await call("DELETE", this.path(`notes/${note.number}`));
        void this.outcome.follow(told.forgetting_id, `Note ${note.number} is gone.`);
        await this.refresh();
      },
    });
  }

  clear(box) {
    const kept = "What was said in the talk stays in its transcript.";
    ask({
      title: "Clear this box?",
      body: el("p", {}, `${counted(box.notes.length, "note")} and ${counted(box.rehearsals ?? 0, "rehearsal")} are forgotten: ${scopeWords(box.box)}. ${kept}`),
      yes: "Clear the box",
      isDangerous: true,
      run: async () => {
        const told = await call("DELETE", this.path("notes"));
        void this.outcome.follow(told.forgetting_id, `Cleared: ${counted(told.notes, "note")}, ${counted(told.rehearsals, "rehearsal")}.`);
        await this.refresh();
      },
    });
  }

  promote(number) {
    return this.act(
      () => call("POST", this.path(`rehearsals/${number}/promote`)),
      (told) => sentenceOf(told.effect?.line ?? `rehearsal ${number} was promoted`),
    );
  }

  discard(number) {
    return this.act(
      () => call("DELETE", this.path(`rehearsals/${number}`)),
      () => `Rehearsal ${number} was discarded.`,
    );
  }
}

function keyOf({ channel, conversation }) {
  return JSON.stringify({ channel, conversation });
}

function scopeWords(box) {
  return box.scope === "brain"
    ? `one box for every talk of ${box.brain}`
    : `the box of the talk ${box.conversation} on ${box.channel}`;
}
