// The live feed: newest first, filtered here, each row opening to its fields and the rule in words.

import { effectChip, el, empty, fill, loading, momentOf, say, sentenceOf, timeOf, trouble } from "./dom.js";
import { EVENT_TYPES, RULES } from "./words.js";

const SHOWN_AT_MOST = 400;
const EFFECTS = ["allow", "shadow", "deny"];
const STATES = {
  connecting: "connecting",
  live: "live",
  waiting: "reconnecting",
  refused: "not for this token",
};

/** Builds the panel. `record` is what it shows. */
export class ActivityPanel {
  constructor(root, record) {
    this.record = record;
    this.wanted = { brain: "", type: "", effect: "" };
    this.list = el("ol", { class: "events", "aria-label": "Events, newest first" });
    this.state = el("span", { class: "feed-state", role: "status" });
    this.body = el("div", { class: "activity-body", tabindex: "0", role: "region", "aria-label": "Events" }, loading("the record"));
    this.brain = this.select("Brain", "brain");
    this.type = this.select("Type", "type");
    this.effect = this.select("Effect", "effect");
    this.options(this.effect, "every effect", EFFECTS);
    this.options(this.type, "every type", Object.keys(EVENT_TYPES));
    this.options(this.brain, "every brain", []);
    this.earlier = el("button", { class: "quiet wide", onclick: () => this.loadEarlier() }, "Show earlier events");
    this.pending = [];
    fill(
      root,
      el("div", { class: "activity-head" }, el("h2", { id: "activity-title" }, "Activity"), this.state),
      el("div", { class: "filters" }, this.brain, this.type, this.effect),
      this.body,
    );
  }

  select(label, field) {
    return el("select", {
      "aria-label": label,
      onchange: (change) => {
        this.wanted[field] = change.target.value;
        this.showAll();
      },
    });
  }

  options(select, all, values) {
    const chosen = select.value;
    fill(select, el("option", { value: "" }, all), values.map((value) => el("option", { value }, value)));
    select.value = values.includes(chosen) ? chosen : "";
  }

  setBrains(names) {
    this.options(this.brain, "every brain", names);
  }

  setState(state, error) {
    this.state.textContent = STATES[state];
    this.state.className = `feed-state ${state}`;
    if (state === "refused") fill(this.body, trouble(error));
    else if (state === "waiting" && this.record.last === 0) fill(this.body, trouble(error ?? new Error("No answer yet.")));
  }

  showAll() {
    const shown = this.record.events.filter((event) => this.isWanted(event)).slice(-SHOWN_AT_MOST);
    this.pending = [];
    fill(this.list, shown.reverse().map((event) => this.row(event)));
    this.earlier.hidden = !this.record.hasEarlier;
    this.settle();
  }

  settle() {
    if (this.list.childElementCount) {
      if (this.list.parentElement !== this.body) fill(this.body, this.list, this.earlier);
      return;
    }
    const isFiltered = Object.values(this.wanted).some(Boolean);
    fill(
      this.body,
      isFiltered
        ? empty("None of these", "No event that is held here fits the filter.")
        : empty("Nothing happened yet", "Every message, decision and change shows here as it happens."),
      this.earlier,
    );
  }

  /** Takes new events; many at once are drawn at once. */
  add(events) {
    const wanted = events.filter((event) => this.isWanted(event));
    if (!wanted.length) return;
    if (!this.pending.length) requestAnimationFrame(() => this.draw());
    this.pending.push(...wanted);
  }

  draw() {
    const rows = this.pending.map((event) => this.row(event, true));
    this.pending = [];
    this.list.prepend(...rows.reverse());
    while (this.list.childElementCount > SHOWN_AT_MOST) this.list.lastElementChild.remove();
    this.settle();
  }

  async loadEarlier() {
    try {
      await this.record.loadEarlier();
      this.showAll();
    } catch (error) {
      say(error.message);
    }
  }

  isWanted({ brain, type, mode }) {
    const { wanted } = this;
    return (
      (!wanted.brain || wanted.brain === brain) &&
      (!wanted.type || wanted.type === type) &&
      (!wanted.effect || wanted.effect === mode)
    );
  }

  row(event, isNew = false) {
    const details = el(
      "details",
      { class: isNew ? "event new" : "event", ontoggle: () => open(details, event) },
      el(
        "summary",
        {},
        el("time", { datetime: event.at, title: momentOf(event.at) }, timeOf(event.at)),
        el("span", { class: "event-type" }, event.type),
        event.mode && effectChip(event.mode),
        el("span", { class: "event-gist" }, gist(event)),
      ),
    );
    return el("li", { "data-seq": event.seq }, details);
  }
}

/** Returns the few words of an event that say most. */
export function gist(event) {
  const counts = event.counts ? Object.entries(event.counts).map(([name, count]) => `${name} ${count}`) : [];
  const isRehearsed = event.type === "tool_shadowed";
  const codes = isRehearsed ? event.codes?.map((code) => `would be ${code}`) : event.codes;
  const words = [event.tool, event.outcome === "ok" ? null : event.outcome, event.tool ? null : event.model, ...(event.paths ?? codes ?? [])];
  const found = words.filter(Boolean);
  return (found.length ? found : [event.channel, ...counts].filter(Boolean)).slice(0, 3).join(" · ");
}

function open(details, event) {
  if (!details.open || details.childElementCount > 1) return;
  const fields = Object.entries(event).filter(([, value]) => value !== null && value !== undefined);
  details.append(
    el(
      "div",
      { class: "event-fields" },
      el("p", {}, EVENT_TYPES[event.type] ?? "An event of a newer brain."),
      event.rule && el("p", { class: "because" }, sentenceOf(`${event.mode ?? "decided"}, because ${RULES[event.rule] ?? event.rule}`)),
      event.type === "tool_shadowed" && event.codes && el("p", {}, `As a real call it would have been: ${event.codes.join(", ")}.`),
      el("dl", {}, fields.map(([name, value]) => [el("dt", {}, name), el("dd", {}, fieldText(value))])),
    ),
  );
}

function fieldText(value) {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object") {
    return Object.entries(value).map(([name, part]) => `${name} ${part}`).join(", ");
  }
  return String(value);
}
