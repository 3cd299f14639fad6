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

const WHY = {
  unreachable: "the model could not be reached.",
  missing: "the model was not on this machine.",
  loading: "the model was still loading.",
  timed_out: "the model took too long.",
  exchange_timeout: "it took too long.",
  busy: "the model had too much to do.",
  prompt_too_long: "the prompt was too long for the model.",
  not_local: "the model was not proved to be local.",
  locality_broken: "an answer said that the model is not local.",
  empty_reply: "the model gave an empty answer.",
  interrupted: "brain was stopped while it was being answered. What its tools had done by then stands.",
  store_failed: "the database did not take what was to be stored.",
  internal: "something went wrong inside brain; its log says what.",
  waiting: "whoever sent it left while it waited.",
  forgotten: "it was forgotten while it waited.",
};

/**
 * Returns for each exchange of these turns what became of the user's message, where that is not an answer
 * one can see: `{text, isOpen}`.
 */
export function standings(turns) {
  const answered = new Set(turns.filter((turn) => turn.role === "assistant").map((turn) => turn.exchange_id));
  const found = new Map();
  for (const { exchange_id, state, code } of turns.filter((turn) => turn.role === "user")) {
    if (state === "open") found.set(exchange_id, { text: "This is being answered, or waits for its turn …", isOpen: true });
    else if (state === "failed") found.set(exchange_id, { text: `Not answered: ${WHY[code] ?? `the model gave no answer (${code.replaceAll("_", " ")}).`}`, isOpen: false });
    else if ((state === "cancelled" || state === "dropped") && !answered.has(exchange_id)) {
      found.set(exchange_id, { text: `Not answered: ${WHY[code] ?? "it was stopped before an answer came."}`, isOpen: false });
    }
  }
  return found;
}

/** Returns the line of what became of a message; `again` is called with the wish to write it again. */
export function standingLine({ text, isOpen }, again) {
  return el(
    "p",
    { class: isOpen ? "runtime-line awaited" : "runtime-line refused", role: isOpen ? "status" : null },
    text,
    again && !isOpen && el("button", { class: "small", onclick: again }, "Write it again"),
  );
}
