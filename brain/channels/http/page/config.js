// The config file as text, with what is wrong with it at its lines.

import { call } from "./api.js";
import { el, fill, loading, momentOf, say, trouble } from "./dom.js";
import { problemList } from "./problems.js";
import { putConfig, readConfig, replayConfig } from "./state.js";
import { replayWords } from "./policy.js";

export class ConfigPanel {
  constructor(root, state) {
    this.state = state;
    this.isStale = true;
    this.kept = null; // {text, etag} as it stands in the file
    this.standing = el("div", { class: "standing" });
    this.gutter = el("pre", { class: "gutter", "aria-hidden": "true" });
    this.text = el("textarea", {
      id: "config-text",
      class: "code",
      spellcheck: "false",
      autocapitalize: "off",
      wrap: "off",
      oninput: () => this.changed(),
      onscroll: () => {
        this.gutter.scrollTop = this.text.scrollTop;
      },
    });
    this.check = el("button", { onclick: () => this.checkIt() }, "Check");
    this.apply = el("button", { class: "primary", onclick: () => this.applyIt() }, "Save and apply");
    this.undo = el("button", { class: "quiet", onclick: () => this.put(this.kept) }, "Undo changes");
    this.verdict = el("div", { class: "verdict", role: "status" });
    this.body = el("div", { class: "config-body" });
    this.editor = el(
      "div",
      {},
      el("label", { for: "config-text", class: "unseen" }, "Text of the config file"),
      el("div", { class: "editor" }, this.gutter, this.text),
      el("div", { class: "row" }, this.apply, this.check, this.undo),
      this.verdict,
    );
    fill(
      root,
      el(
        "div",
        { class: "panel-head" },
        el("div", {}, el("h2", {}, "Config"), el("p", { class: "lead" }, "The file itself. A valid change applies whole, an invalid one changes nothing.")),
      ),
      this.standing,
      this.body,
    );
  }

  async show() {
    if (this.kept && !this.isStale) return;
    if (!this.kept) fill(this.body, loading("the config"));
    await this.refresh();
  }

  get isEdited() {
    return this.kept !== null && this.text.value !== shown(this.kept.text);
  }

  async refresh() {
    this.isStale = false;
    void this.showStanding();
    try {
      const found = await readConfig();
      if (this.isEdited && found.etag !== this.kept.etag) {
        fill(
          this.verdict,
          el("p", { class: "trouble" }, "The file was changed by someone else while you edited. "),
          el("button", { onclick: () => this.put(found) }, "Take the file's text"),
        );
        return;
      }
      if (!this.isEdited) this.put(found);
      if (!this.editor.isConnected) fill(this.body, this.editor);
    } catch (error) {
      fill(this.body, trouble(error, () => this.refresh()));
    }
  }

  put(found) {
    this.kept = found;
    this.text.value = found.text;
    fill(this.verdict);
    this.changed();
  }

  changed() {
    const lines = this.text.value.split("\n").length;
    if (this.gutter.childElementCount !== lines) {
      fill(this.gutter, Array.from({ length: lines }, (_, at) => el("span", {}, `${at + 1}\n`)));
    }
    for (const line of this.gutter.querySelectorAll(".wrong")) line.classList.remove("wrong");
    this.apply.disabled = !this.isEdited;
    this.undo.hidden = !this.isEdited;
  }

  /** The text as it goes to the file: a textarea knows no CRLF, the file may. */
  get outgoing() {
    return this.kept.text.includes("\r\n") ? this.text.value.replaceAll("\n", "\r\n") : this.text.value;
  }

  async showStanding() {
    try {
      const response = await call("GET", "/readyz").catch((error) => {
        if (error.status !== 503) throw error;
        return null;
      });
      if (response) this.tellStanding(response);
    } catch {
      fill(this.standing);
    }
  }

  tellStanding({ revision, last_reload: last, version }) {
    const isRejected = last?.kind === "rejected";
    fill(
      this.standing,
      el("p", { class: "hint" }, "In force: revision ", el("code", { title: revision }, revision.slice(0, 12)), ` · brain ${version}`),
      last &&
        el(
          "p",
          { class: isRejected ? "banner bad" : "hint" },
          isRejected ? "The last save was rejected; the config before it runs on. " : `Last change: ${last.kind} `,
          last.at && momentOf(last.at),
        ),
      isRejected && el("pre", { class: "report" }, last.text),
    );
  }

  async checkIt() {
    fill(this.verdict, loading("the check"));
    try {
      const told = await replayConfig(this.outgoing);
      fill(this.verdict, el("p", { class: "good" }, "Valid."), replayWords(told));
    } catch (error) {
      this.tell(error);
    }
  }

  async applyIt() {
    this.apply.disabled = true;
    try {
      const told = await putConfig(this.outgoing, this.kept.etag);
      say(told.kind === "unchanged" ? "Saved; nothing that counts changed." : "Saved and applied.");
      this.put(await readConfig());
      fill(this.verdict, el("p", { class: "good" }, (told.paths ?? []).join(", ")), told.warnings?.length > 0 && this.problems(told.warnings));
      void this.showStanding();
    } catch (error) {
      this.tell(error);
      this.apply.disabled = false;
    }
  }

  tell(error) {
    if (error.problems?.length) {
      fill(this.verdict, el("p", { class: "trouble" }, "Not valid; nothing was changed."), this.problems(error.problems));
      return;
    }
    const told = error.status === 409 ? "The file holds another text by now; nothing was changed." : error.message;
    fill(
      this.verdict,
      el("p", { class: "trouble", role: "alert" }, told),
      error.status === 409 && el("button", { onclick: async () => this.put(await readConfig()) }, "Take the file's text"),
    );
  }

  problems(problems) {
    for (const { line } of problems) this.gutter.children[line - 1]?.classList.add("wrong");
    return problemList(problems, (line, column) => this.goTo(line, column));
  }

  goTo(line, column) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
    const height = this.text.scrollHeight / Math.max(1, lines.length);
    this.text.scrollTop = Math.max(0, (line - 4) * height);
  }
}

function shown(text) {
  return text.replaceAll("\r\n", "\n");
}
