// The record in words. A test holds these beside the words of the runtime.

/** What each type of event means. */
export const EVENT_TYPES = {
  runtime_started: "A process began to run this config.",
  runtime_stopped: "A process ended as it should.",
  config_applied: "A config came into force.",
  config_rejected: "A changed config was refused; the one in force runs on.",
  message_received: "A message came in and its turn is stored.",
  message_dropped: "A message came in and was not taken up: repeated, or too many waited.",
  reply_sent: "An exchange ended in a reply, which is stored.",
  exchange_failed: "An exchange ended without an answer; the user was told why.",
  exchange_cancelled: "The person stopped an answer; what had come is stored and marked.",
  model_called: "A model was asked; tokens and counts say what rode in the prompt.",
  model_fallback: "A model could not be used and the next one of the brain was asked.",
  model_out_of_service: "A model can't be asked for now.",
  model_back: "A model that could not be asked can be asked again.",
  locality_proved: "A model was proved to run on this machine or a trusted host.",
  locality_broken: "An answer, or the proof, said that a model is not local.",
  locality_released: "The operator put a model back into service.",
  prompt_trimmed: "The oldest exchanges were left out so that the prompt fits.",
  prompt_refused: "The prompt did not fit and was not sent.",
  prompt_truncated: "The server cut a prompt.",
  tool_decided: "A call with an effect outside was allowed and is about to run.",
  tool_used: "A call was allowed and ran.",
  tool_shadowed: "A call was rehearsed; nothing ran.",
  tool_denied: "A call was refused by the policy or a limit.",
  tool_interrupted: "A process died between a decision and the end of its call.",
  command_run: "A system command was answered by the runtime; its name is among the codes.",
  session_started: "A new session of a conversation began.",
  recalled: "A quoted block of an earlier session was put into an empty one.",
  note_stored: "A note was stored.",
  note_refused: "A note was not stored; the outcome says why.",
  note_dropped: "The operator dropped one note.",
  notes_cleared: "The operator emptied a box.",
  rehearsal_kept: "A would-be note was kept for the operator to judge.",
  rehearsal_promoted: "The operator stored what a rehearsal had held.",
  rehearsal_dropped: "The operator discarded a rehearsal.",
  forgotten: "Every copy that the runtime owns of a text was removed.",
  store_recovered: "The database takes writes again; the count is what failed meanwhile.",
  exported: "Rows were written to a file.",
  imported: "Rows were read from a file.",
  activity_pruned: "Events older than activity.retain_days were removed.",
};

/** Each rule of the gate, as the reason that a person reads. */
export const RULES = {
  unknown_tool: "there is no such tool",
  not_granted: "no grant names it",
  channel: "its grants are for other channels",
  deny: "a grant denies it",
  sensitive_locality: "it is sensitive and the model is not proved local",
  taint: "text from outside was in the prompt",
  shadow: "a grant shadows it",
  allow: "a grant allows it",
  gate_error: "the decision itself failed",
  per_reply_budget: "the model asked for too many calls at once",
  repeated_call: "the same call came a third time",
};

/** Why a would-be note would not be stored. */
export const REFUSALS = {
  duplicate: "a note says the same",
  full: "the box is full",
  no_room: "it would not fit the prompt",
};

/** What each step of a proof of locality looks at. */
export function stateWords(state) {
  return { ready: "ready", unasked: "not asked yet" }[state] ?? state.replaceAll("_", " ");
}

/** Returns why a call was decided so, as a sentence. */
export function ruleWords(rule) {
  return RULES[rule] ?? rule;
}
