// Where a message is written. What is typed and not sent stays with its talk while the tab is there.

import { el } from "./dom.js";
import { draftOf, keepDraft } from "./kept.js";

export class Composer {
  /** `send` is called with the text; `talk` gives the talk that is open. */
  constructor({ send, stop, talk }) {
    this.talk = talk;
    this.isSending = false;
    this.text = el("textarea", {
      id: "message",
      rows: "1",
      placeholder: "Write a message",
      autocomplete: "off",
      onkeydown: (press) => this.press(press),
      oninput: () => this.changed(),
    });
    this.button = el("button", { class: "primary" }, "Send");
    this.root = el(
      "form",
      {
        class: "composer",
        onsubmit: (submit) => {
          submit.preventDefault();
          if (this.isSending) stop();
          else if (this.text.value.trim()) send(this.take());
        },
      },
      el("label", { for: "message", class: "unseen" }, "Message"),
      this.text,
      this.button,
    );
  }

  /** Shows what was typed for the talk that is open now. */
  open() {
    this.text.value = draftOf(this.talk());
    this.grow();
  }

  /** Puts a text there to be sent, or changed, behind what was typed already. */
  put(text) {
    this.text.value = [this.text.value, text].filter((each) => each.trim()).join("\n");
    this.changed();
    this.text.focus();
  }

  take() {
    const { value } = this.text;
    this.text.value = "";
    this.changed();
    return value;
  }

  /** Says whether an answer is being made: then the button stops it. */
  setSending(isSending) {
    this.isSending = isSending;
    this.button.textContent = isSending ? "Stop" : "Send";
    this.button.classList.toggle("stop", isSending);
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }

  changed() {
    keepDraft(this.talk(), this.text.value);
    this.grow();
  }

  grow() {
    this.text.rows = Math.min(8, this.text.value.split("\n").length);
  }

  press(press) {
    if (press.key !== "Enter" || press.shiftKey || press.isComposing) return;
    press.preventDefault();
    this.root.requestSubmit();
  }
}
