// The models of each brain, and the proof of each, step by step.

import { call } from "./api.js";
import { el, empty, fill, loading, momentOf, trouble } from "./dom.js";

const STATES = { ready: "ready", unasked: "not asked yet" };
const OUTCOMES = { passed: "✓", failed: "✗", noted: "·" };

export class ModelsPanel {
  constructor(root, state) {
    this.state = state;
    this.isStale = true;
    this.body = el("div", { class: "models-body" });
    fill(
      root,
      el(
        "div",
        { class: "panel-head" },
        el("div", {}, el("h2", {}, "Models"), el("p", { class: "lead" }, "A model counts as local only when it was proved to be. This is the evidence.")),
        el("button", { onclick: () => this.refresh() }, "Look again"),
      ),
      this.body,
    );
  }

  async show() {
    if (!this.isStale && this.body.childElementCount) return;
    fill(this.body, loading("the models"));
    await this.refresh();
  }

  async refresh() {
    this.isStale = false;
    try {
      const { brains } = await call("GET", "/v1/brains");
      fill(this.body, brains.map((brain) => this.brainSection(brain)));
    } catch (error) {
      fill(this.body, trouble(error.status === 403 ? { status: 403, message: "How models stand is the operator's to see." } : error, () => this.refresh()));
    }
  }

  brainSection(brain) {
    const title = `models-${brain.name}`;
    return el(
      "section",
      { "aria-labelledby": title },
      el("h3", { id: title }, `${brain.name} `, el("span", { class: "chip" }, brain.sensitivity)),
      brain.models.length
        ? el("ol", { class: "models" }, brain.models.map((model) => modelCard(model)))
        : empty("No model", "This brain has none to ask."),
    );
  }
}

function modelCard(model) {
  const { proof } = model;
  const isGood = model.state === "ready";
  return el(
    "li",
    { class: "card" },
    el(
      "div",
      { class: "card-head" },
      el("h4", { class: "model-name" }, model.model),
      el("span", { class: `chip ${isGood ? "allow" : model.state === "unasked" ? "" : "deny"}` }, STATES[model.state] ?? model.state.replaceAll("_", " ")),
    ),
    model.detail && el("p", {}, model.detail),
    model.fix && el("p", { class: "fix" }, el("strong", {}, "Fix "), model.fix),
    proof
      ? [
          el(
            "p",
            { class: "hint" },
            `${proof.is_local ? "Proved local" : "Not proved local"} · ${momentOf(proof.at)}`,
            proof.digest && [" · ", el("code", { title: proof.digest }, proof.digest.slice(0, 19))],
          ),
          el("ol", { class: "steps" }, proof.steps.map((step) => proofStep(step))),
        ]
      : el("p", { class: "hint" }, "No proof yet: it is made when the model is first asked."),
  );
}

function proofStep(step) {
  return el(
    "li",
    { class: `step ${step.outcome}` },
    el("span", { class: "step-mark", "aria-hidden": "true" }, OUTCOMES[step.outcome] ?? "·"),
    el("div", {}, el("p", { class: "step-name" }, step.name.replaceAll("_", " "), el("span", { class: "unseen" }, `: ${step.outcome}`)), el("p", { class: "hint" }, step.detail)),
  );
}
