// Talks: the list of them, and the one that is open with its streaming replies.

import { randomKey, stream } from "./api.js";
import { Composer } from "./composer.js";
import { el, empty, fill, loading, trouble } from "./dom.js";
import { keepTalk, keptTalk, talksThatAreGone } from "./kept.js";
import { askForTalk } from "./newtalk.js";
import { earlierButton, Pages, placeOf } from "./pages.js";
import { effectLines, messageRow, standingLine, standings } from "./rows.js";
import { isSame, SessionChoice, TalkList } from "./talks.js";
import { Unanswered } from "./unanswered.js";

const NEAR_BOTTOM = 80;
const NEAR_TOP = 40;

/** Failures after which the talk may not hold the message: the same one can be sent again. */
const NOT_TAKEN = new Set(["busy", "store", "internal", "forgotten"]);

export class TalkPanel {
  constructor(root, state) {
    this.state = state;
    this.pages = null; // the turns that are shown, and what leads to those before them
    this.open = null; // {channel, conversation, id}
    this.session = null;
    this.sending = null; // the AbortController of an answer that is being made
    this.own = new Map(); // exchange id -> the lines of the runtime under its reply
    this.noticed = []; // what the last answer was followed by beside its effects
    this.unanswered = new Unanswered((message) => this.showAgain(message));
    this.listed = null; // the exchanges of the turns that were listed last, null before that
    this.written = 0; // how many messages were sent from here: what was asked for before is outdated
    this.isStale = true;
    this.list = new TalkList((talk) => this.choose(talk));
    this.newTalk = el("button", { class: "quiet", onclick: () => askForTalk(this.list.rows, this.state, (talk) => this.choose(talk)) }, "New talk");
    this.title = el("h2", { id: "talk-title" }, "main");
    this.place = el("p", { class: "hint" });
    this.sessions = new SessionChoice(
      () => this.showSession(),
      (error) => this.showTrouble(error, () => this.loadTurns()),
    );
    this.turns = el("div", { class: "turns", role: "log", "aria-live": "polite", "aria-labelledby": "talk-title", tabindex: "0", onscroll: () => this.scrolled() });
    this.composer = new Composer({
      send: (text) => this.submit(text),
      stop: () => this.sending?.abort(),
      talk: () => this.open,
    });
    this.form = this.composer.root;
    this.note = el("p", { class: "hint composer-hint" });
    fill(
      root,
      el(
        "nav",
        { class: "talks", "aria-label": "Talks" },
        el("div", { class: "talks-head" }, el("h2", {}, "Talks"), this.newTalk),
        this.list.root,
      ),
      el(
        "div",
        { class: "chat" },
        el("div", { class: "chat-head" }, el("div", {}, this.title, this.place), this.sessions.root),
        this.turns,
        this.form,
        this.note,
      ),
    );
  }

  async show() {
    if (this.open === null) {
      this.open = keptTalk() ?? { channel: this.state.firstChannel, conversation: "main", id: "" };
      this.composer.open();
      this.showTalks();
      fill(this.turns, loading("the talk"));
      const isAmongTabs = document.activeElement?.getAttribute("role") === "tab";
      if (!isAmongTabs) this.composer.focus();
      await this.forgetGone();
      await this.loadTalks();
      await this.loadTurns();
    } else if (this.isStale) {
      await this.refresh();
    }
  }

  /** Lets go of what was written to talks that are not there any more. */
  async forgetGone() {
    if (!this.state.isOperator) return;
    const gone = await talksThatAreGone(this.open?.id);
    if (!gone.size) return;
    this.unanswered.forget(gone);
    if (!gone.has(this.open?.id)) return;
    this.open.id = "";
    this.composer.open();
    this.showNothing();
  }

  async refresh(event) {
    this.isStale = false;
    await this.loadTalks();
    const isOther = !event || /^forg/.test(event.type) || (event.conversation === this.open?.id && !this.own.has(event.exchange));
    if (isOther && !this.sending) await this.loadTurns();
  }

  async loadTalks() {
    if (this.state.isOperator) {
      try {
        await this.list.load();
      } catch (error) {
        this.showTalks(error);
        return;
      }
    }
    const found = this.list.rows.find((talk) => isSame(talk, this.open));
    if (found) this.open.id = found.conversation_id;
    keepTalk(this.open);
    this.showTalks();
  }

  showTalks(error) {
    this.list.show(this.open, error);
    this.showHead();
  }

  showHead() {
    const { channel, conversation } = this.open;
    const brain = this.state.brainOf(channel);
    this.title.textContent = conversation;
    this.place.textContent = [brain, channel && `on ${channel}`].filter(Boolean).join(" ");
    const may = this.state.mayTalkOn(channel);
    const isNone = this.state.httpChannels?.length === 0;
    this.form.hidden = !may || isNone;
    this.note.classList.toggle("keys", may && !isNone);
    this.note.textContent = isNone
      ? 'The config has no channel of type http: add {"type": "http"} to "channels" to talk here.'
      : may
        ? "Enter sends, Shift+Enter begins a line, /help says what is here"
        : `This talk is on ${channel}: it can be read here, not continued.`;
    this.state.talk = { channel, conversation };
  }

  async choose(talk) {
    this.sending?.abort();
    this.open = { channel: talk.channel, conversation: talk.conversation, id: talk.conversation_id ?? talk.id ?? "" };
    this.listed = null;
    keepTalk(this.open);
    this.composer.open();
    this.showTalks();
    fill(this.turns, loading("the talk"));
    await this.loadTurns();
    if (!this.form.hidden) this.composer.focus();
  }

  async loadTurns() {
    const { open } = this;
    if (!open.id) return this.showNothing();
    const isCurrent = this.since();
    try {
      await this.sessions.load(open.id, isCurrent);
      if (!isCurrent()) return undefined;
      return await this.showSession();
    } catch (error) {
      if (error.status === 404) return this.showNothing();
      return this.showTrouble(error, () => this.loadTurns());
    }
  }

  async showSession() {
    const { open } = this;
    const isCurrent = this.since();
    const path = `/v1/conversations/${encodeURIComponent(open.id)}/turns`;
    const pages = new Pages("turns", path, { session: this.sessions.value }, this.pages);
    const isReading = pages.size && !this.isAtBottom();
    try {
      const turns = await pages.load();
      if (!isCurrent()) return;
      if (!turns.length) {
        this.showNothing();
        return;
      }
      this.pages = pages;
      this.listed = new Set(turns.map((turn) => turn.exchange_id));
      const putBack = isReading ? placeOf(this.turns) : () => this.toBottom();
      this.fillTurns();
      putBack();
    } catch (error) {
      this.showTrouble(error, () => this.showSession());
    }
  }

  fillTurns() {
    const { rows } = this.pages;
    fill(this.turns, earlierButton(this.pages, "Earlier messages", () => this.showEarlier()), this.rowsOf(rows), this.rowsBelow(rows));
  }

  /** Shows the turns before those that are shown, above them: what is being read stays where it is. */
  async showEarlier() {
    const { pages } = this;
    const isFocused = document.activeElement?.matches(".turns > .earlier");
    try {
      const turns = await pages.more();
      const button = this.turns.querySelector(":scope > .earlier");
      if (!turns.length || pages !== this.pages || !button) return;
      for (const turn of turns) this.listed.add(turn.exchange_id);
      const putBack = placeOf(this.turns);
      button.remove();
      this.turns.prepend(...[earlierButton(pages, "Earlier messages", () => this.showEarlier()), ...this.rowsOf(turns)].filter(Boolean));
      putBack();
      if (isFocused) this.turns.focus({ preventScroll: true });
    } catch (error) {
      this.turns.querySelector(":scope > .earlier")?.replaceWith(trouble(error, () => this.loadTurns()));
    }
  }

  /** Returns what was written here and is not answered, for below the turns of the active session. */
  rowsBelow(turns) {
    if (!this.sessions.isActive) return [];
    return this.unanswered.rowsBelow(turns, (message) => isSame(message, this.open));
  }

  showTrouble(error, again) {
    fill(this.turns, trouble(error, again), this.rowsBelow([]));
  }

  /** Returns what tells whether still the same talk is open and nothing was written to it since. */
  since() {
    const { open, written } = this;
    return () => open === this.open && written === this.written;
  }

  /** Returns a row for each turn, and below the last of an exchange what became of its message. */
  rowsOf(turns) {
    const found = standings(turns);
    const last = new Map(turns.map((turn) => [turn.exchange_id, turn]));
    return turns.map((turn) => {
      const row = this.turnRow(turn);
      const standing = last.get(turn.exchange_id) === turn && found.get(turn.exchange_id);
      if (standing) row.append(standingLine(standing, this.againWith(turns, turn.exchange_id)));
      return row;
    });
  }

  /** Returns what puts a message to be written again, where this talk can be continued here. */
  againWith(turns, exchangeId) {
    const said = turns.find((turn) => turn.exchange_id === exchangeId && turn.role === "user");
    return this.form.hidden ? null : () => this.composer.put(said.text);
  }

  turnRow(turn) {
    const row = messageRow({ role: turn.role, text: turn.text, at: turn.at, by: turn.role === "assistant" ? turn.brain : turn.sender, turn });
    row.dataset.turn = turn.turn_id;
    if (turn.role === "assistant") row.append(...effectLines(this.own.get(turn.exchange_id) ?? turn));
    return row;
  }

  showNothing() {
    this.sessions.hide();
    this.listed = new Set();
    const rows = this.rowsBelow([]);
    fill(this.turns, rows.length ? rows : empty("Nothing said yet", "What you write is answered by the model of this brain. /notes, /tools and /help are answered by brain itself."));
  }

  submit(text) {
    this.turns.querySelector(":scope > .empty, :scope > .loading")?.remove();
    const row = messageRow({ role: "user", text, at: Date.now() });
    this.turns.append(row);
    const { channel, conversation, id } = this.open;
    const known = this.listed && new Set([...this.listed, ...this.own.keys()]);
    void this.send(this.unanswered.keep({ channel, conversation, id, text, key: randomKey(), at: Date.now(), row, known }));
  }

  /** Sends a message and shows the answer as it comes. The key marks it: twice sent is once answered. */
  async send(message) {
    const { channel, conversation, text, key } = message;
    const answer = messageRow({ role: "assistant", text: "", by: this.state.brainOf(channel) });
    const body = answer.querySelector(".message-text");
    answer.classList.add("coming");
    message.answer = answer;
    message.mayBeSentAgain = false;
    this.turns.append(answer);
    this.toBottom();
    this.begin();
    let reply = null;
    try {
      const options = {
        body: { conversation, text, ...(channel && { channel }) },
        headers: { "X-Idempotency-Key": key },
        signal: this.sending.signal,
      };
      for await (const frame of stream("POST", "/v1/messages", options)) {
        const value = JSON.parse(frame.data);
        const wasAtBottom = this.isAtBottom();
        if (frame.event === "text") body.append(value.text);
        else if (frame.event === "reply") reply = value;
        if (wasAtBottom) this.toBottom();
      }
      this.end(message, reply);
    } catch (error) {
      this.fail(message, error);
    } finally {
      answer.classList.remove("coming");
      this.sending = null;
      this.turns.setAttribute("aria-busy", "false");
      this.composer.setSending(false);
      this.toBottom();
    }
  }

  begin() {
    this.written += 1;
    this.sending = new AbortController();
    this.turns.setAttribute("aria-busy", "true");
    this.composer.setSending(true);
  }

  /** Returns a message that was written before the page was loaded anew, with its rows. */
  showAgain(message) {
    const answer = messageRow({ role: "assistant", text: "", by: "brain" });
    answer.classList.add("failed");
    answer.append(el("p", { class: "runtime-line refused" }, "This is not in the talk, and no answer to it was seen. ", this.againButton(message)));
    return Object.assign(message, { row: messageRow({ role: "user", text: message.text, at: message.at }), answer });
  }

  again(message) {
    if (this.sending) return;
    message.answer.remove();
    void this.send(message);
  }

  end(message, reply) {
    const { answer } = message;
    if (reply === null) {
      this.fail(message, new Error("The answer was cut off before its end."));
      return;
    }
    const body = answer.querySelector(".message-text");
    if (body.textContent !== reply.text) body.textContent = reply.text;
    if (reply.outcome !== "answered") {
      answer.classList.add(reply.outcome);
      answer.querySelector(".message-by").textContent = "brain";
    }
    if (reply.outcome === "repeated") {
      body.textContent = "brain has this message already. What it answered stands in the talk, unless it was a command.";
      void this.loadTurns();
    } else if (reply.outcome !== "failed" && reply.outcome !== "busy") {
      this.unanswered.drop(message);
    } else if (NOT_TAKEN.has(reply.code)) {
      message.mayBeSentAgain = true;
      answer.append(el("p", { class: "runtime-line refused" }, this.againButton(message)));
    }
    const lines = {
      effects: reply.effects,
      truth: reply.truth,
      notices: this.news(reply),
    };
    if (reply.exchange_id) this.own.set(reply.exchange_id, lines);
    answer.append(...effectLines(lines));
    if (!this.open.id) void this.loadTalks();
  }

  /** What was not said under the answer before: that a model stays away is said once. */
  news({ outcome, notices }) {
    if (outcome !== "answered") return notices;
    const fresh = notices.filter((notice) => !this.noticed.includes(notice));
    this.noticed = notices;
    return fresh;
  }

  fail(message, error) {
    const { answer } = message;
    if (error.name === "AbortError") {
      answer.append(el("p", { class: "runtime-line" }, "stopped"));
      return;
    }
    answer.classList.add("failed");
    message.mayBeSentAgain = true;
    answer.append(el("p", { class: "runtime-line refused", role: "alert" }, error.message, " ", this.againButton(message)));
  }

  againButton(message) {
    return el("button", { class: "small", onclick: () => this.again(message) }, "Try again");
  }

  isAtBottom() {
    const { scrollHeight, scrollTop, clientHeight } = this.turns;
    return scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
  }

  /** Whoever has scrolled up to the first turn that is shown wants those before it. */
  scrolled() {
    if (this.turns.scrollTop < NEAR_TOP && this.pages?.next && this.turns.querySelector(":scope > .earlier")) void this.showEarlier();
  }

  toBottom() {
    this.turns.scrollTop = this.turns.scrollHeight;
  }
}
