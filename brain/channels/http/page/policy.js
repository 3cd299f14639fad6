// The policy as a grid of tools and channels, and a switch per grant.

import { call } from "./api.js";
import { ask, counted, effectChip, el, empty, fill, loading, say, sentenceOf, trouble } from "./dom.js";
import { EditError, find, lineOf, plain, replaceAt, scan } from "./edit.js";
import { problemList } from "./problems.js";
import { putConfig, readConfig, replayConfig } from "./state.js";

const WHEN = {
  not_local: "where the model is not proved local",
  tainted: "where text from outside is in the prompt",
  operator: "for you",
};
const MODES = ["allow", "shadow", "deny"];

export class PolicyPanel {
  constructor(root, state) {
    this.state = state;
    this.isStale = true;
    this.asked = 0; // how many times it was asked anew: only the last answer counts
    this.body = el("div", { class: "policy-body" });
    fill(
      root,
      el(
        "div",
        { class: "panel-head" },
        el("div", {}, el("h2", {}, "Policy"), el("p", { class: "lead" }, "What each tool may do on each channel, and why. The model proposes; these lines decide.")),
      ),
      this.body,
    );
  }

  async show() {
    if (!this.isStale && this.body.childElementCount) return;
    fill(this.body, loading("the policy"));
    await this.refresh();
  }

  async refresh() {
    this.isStale = false;
    this.asked += 1;
    const { asked } = this;
    if (!this.state.isOperator) {
      fill(this.body, trouble({ status: 403, message: "The policy is the operator's." }));
      return;
    }
    let config;
    try {
      await this.state.load();
      config = await readConfig().then(
        (found) => ({ ...found, root: scan(found.text) }),
        (error) => ({ error }),
      );
    } catch (error) {
      fill(this.body, trouble(error, () => this.refresh()));
      return;
    }
    const held = document.activeElement?.dataset?.switch;
    const brains = await Promise.all(this.state.brains.map((brain) => this.brainCard(brain, config)));
    if (asked !== this.asked) return;
    fill(this.body, brains.length ? brains : empty("No brains", "The config names none."));
    if (held) this.body.querySelector(`[data-switch="${CSS.escape(held)}"]`)?.focus();
  }

  async brainCard(brain, config) {
    const title = `policy-${brain.name}`;
    const rows = await call("GET", `/v1/brains/${encodeURIComponent(brain.name)}/tools`).then(
      (told) => told.tools,
      (error) => error,
    );
    return el(
      "section",
      { class: "card", "aria-labelledby": title },
      el("div", { class: "card-head" }, el("h3", { id: title }, brain.name), el("span", { class: "chip" }, brain.sensitivity)),
      this.grid(rows, brain),
      el("h4", {}, "Grants"),
      this.grants(brain, config),
    );
  }

  grid(rows, brain) {
    if (rows instanceof Error) return trouble(rows, () => this.refresh());
    if (!rows.length) return empty("No tools", "This brain may answer and nothing else.");
    const tools = [...new Set(rows.map((row) => row.tool))];
    const channels = [...new Set(rows.map((row) => row.channel))];
    const cell = (tool, channel) => {
      const row = rows.find((each) => each.tool === tool && each.channel === channel);
      return el("td", { "data-label": channel }, row ? decision(row) : el("span", { class: "hint" }, "no route"));
    };
    return el(
      "div",
      { class: "grid-frame", tabindex: "0", role: "region", "aria-label": `Tools and channels of ${brain.name}` },
      el(
        "table",
        { class: "grid" },
        el("caption", { class: "unseen" }, `What is decided for ${brain.name}`),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "tool"), channels.map((channel) => el("th", { scope: "col" }, channel)))),
        el("tbody", {}, tools.map((tool) => el("tr", {}, el("th", { scope: "row" }, tool), channels.map((channel) => cell(tool, channel))))),
      ),
    );
  }

  grants(brain, config) {
    if (config.error) {
      const { error } = config;
      return error instanceof EditError
        ? empty("The file is not JSON now", `${error.message}. The config in force runs on; mend the file, then it can be switched here.`)
        : trouble(error, () => this.refresh());
    }
    const found = grantsOf(config.root, brain.name).map((grant) => ({ ...grant, line: lineOf(config.text, grant.modeStart) }));
    if (!found.length) return empty("No grants", "Nothing is allowed that no grant names.");
    return el("ul", { class: "grants" }, found.map((grant) => this.grantRow(grant, config)));
  }

  grantRow(grant, config) {
    const where = grant.channels.length ? `on ${grant.channels.join(", ")}` : grant.isOnlyOne ? "everywhere" : "everywhere else";
    const buttons = MODES.map((mode) =>
      el(
        "button",
        {
          class: `segment ${mode}`,
          "aria-pressed": String(mode === grant.mode),
          "data-switch": `${grant.pathText}-${mode}`,
          onclick: () => mode !== grant.mode && this.propose(grant, mode, config),
        },
        mode,
      ),
    );
    return el(
      "li",
      { class: "grant" },
      el("div", { class: "grow" }, el("p", { class: "grant-tool" }, grant.tool), el("p", { class: "hint" }, `${where} · line ${grant.line}`)),
      el("div", { class: "segments", role: "group", "aria-label": `Mode of ${grant.tool} ${where}` }, buttons),
    );
  }

  /** Shows what would change, and changes it only then. */
  async propose(grant, mode, config) {
    const text = replaceAt(config.text, [...grant.path, "mode"], mode);
    const verdict = el("div", { class: "verdict", role: "status" }, loading("what it would have changed"));
    const line = (from) => from.split("\n")[grant.line - 1].trim();
    const dialog = ask({
      title: `${grant.tool}: ${grant.mode} → ${mode}`,
      body: [
        el("p", { class: "hint" }, `${grant.pathText}.mode, line ${grant.line}`),
        el("pre", { class: "change" }, el("del", {}, line(config.text)), "\n", el("ins", {}, line(text))),
        verdict,
      ],
      yes: "Apply",
      run: async () => {
        const told = await putConfig(text, config.etag).catch((error) => {
          if (error.problems.length) fill(verdict, problemList(error.problems));
          throw error.status === 409 ? new Error("The file was changed meanwhile. Close this and look again.") : error;
        });
        say(told.kind === "unchanged" ? "Nothing changed." : `Applied: ${grant.tool} is ${mode}.`);
        await this.refresh();
      },
    });
    try {
      fill(verdict, replayWords(await replayConfig(text)));
    } catch (error) {
      const apply = dialog.querySelector("button.primary");
      if (error.problems?.length) apply.disabled = true;
      fill(verdict, error.problems?.length ? problemList(error.problems) : el("p", {}, `What it would have changed can't be told: ${error.message}`));
    }
  }
}

function decision(row) {
  const because = row.words.replace(/^\w+, /, "");
  return el(
    "details",
    { class: "decision" },
    el("summary", {}, effectChip(row.effect), el("span", { class: "unseen" }, `${row.tool} on ${row.channel}`)),
    el("p", {}, sentenceOf(because)),
    row.grant && el("p", { class: "hint" }, row.grant),
    (row.otherwise ?? [])
      .filter((other) => other.effect !== row.effect)
      .map((other) => el("p", {}, effectChip(other.effect), ` ${WHEN[other.when] ?? other.when}`)),
  );
}

/** Returns what a replay says, in words. */
export function replayWords(told) {
  const changes = told.kinds ?? told.changed ?? [];
  const count = changes.reduce((sum, change) => sum + change.count, 0);
  if (!told.calls) return el("p", {}, "No call is on record yet: there is nothing to compare with.");
  if (!count) return el("p", {}, `Of ${counted(told.calls, "call")} on record none would have been decided otherwise.`);
  return [
    el("p", {}, `Of ${counted(told.calls, "call")} on record ${count} would have been decided otherwise:`),
    el(
      "ul",
      { class: "replay" },
      changes.map((change) => el("li", {}, `${change.count} × ${change.tool}: `, effectChip(change.from), " → ", effectChip(change.to))),
    ),
  ];
}

/** Returns the grants of a brain with their places in the text. */
export function grantsOf(root, brainName) {
  const brains = root.fields?.get("brains")?.items ?? [];
  const at = brains.findIndex((brain) => brain.fields?.get("name")?.value === brainName);
  const governance = brains[at]?.fields.get("agent")?.fields?.get("governance")?.items ?? [];
  const tools = governance.map((node) => node.fields?.get("tool")?.value);
  return governance.flatMap((node, index) => {
    const mode = node.fields?.get("mode");
    if (typeof mode?.value !== "string") return [];
    const path = ["brains", at, "agent", "governance", index];
    const { channels = [] } = plain(node);
    return [
      {
        path,
        pathText: `brains[${at}].agent.governance[${index}]`,
        tool: tools[index],
        mode: mode.value,
        channels,
        modeStart: find(root, [...path, "mode"]).start,
        isOnlyOne: tools.filter((tool) => tool === tools[index]).length === 1,
      },
    ];
  });
}
