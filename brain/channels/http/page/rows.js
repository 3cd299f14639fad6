// The rows of a talk, and the lines of the runtime under a reply.

import { el, momentOf } from "./dom.js";

const KINDS = { saved: "saved", duplicate: "quiet-line", rehearsed: "rehearsed", held: "rehearsed", refused: "refused" };

/** Returns the row of a turn or of a message that is being answered. */
export function messageRow({ role, text, at, by = "", turn = {} }) {
  const marks = [
    turn.kind === "recalled" && "recalled",
    turn.is_cut && "stopped",
    turn.is_tainted && "text from outside",
  ].filter(Boolean);
  const who = { user: by && by !== "operator" ? by : "you", operator: "operator", system: "brain" }[role] ?? (by || "assistant");
  return el(
    "article",
    { class: `message ${role}` },
    el(
      "p",
      { class: "message-head" },
      el("span", { class: "message-by" }, who),
      at && el("time", { class: "hint", datetime: new Date(at).toISOString() }, momentOf(at)),
      marks.map((mark) => el("span", { class: "chip" }, mark)),
    ),
    el("div", { class: "message-text" }, text),
  );
}

/** Returns what the runtime says under a reply: never the model's words. */
export function effectLines({ effects = [], truth = "", notices = [] }) {
  return [
    ...effects.map((effect) => line(effect.line, KINDS[effect.kind] ?? "")),
    ...(truth ? [line(truth, "refused")] : []),
    ...notices.map((notice) => line(notice, "quiet-line")),
  ];
}

function line(text, kind) {
  return el("p", { class: `runtime-line ${kind}` }, el("span", { class: "runtime-mark" }, "brain"), " ", text);
}
