// Begins: signs in, sets the panels up, and lets each know of the events that concern it.

import { ActivityPanel } from "./activity.js";
import { ApiError, call, session } from "./api.js";
import { ConfigPanel } from "./config.js";
import { say } from "./dom.js";
import { forgetAll } from "./kept.js";
import { ModelsPanel } from "./models.js";
import { NotesPanel } from "./notes.js";
import { PolicyPanel } from "./policy.js";
import { Record } from "./record.js";
import { State } from "./state.js";
import { Tabs } from "./tabs.js";
import { TalkPanel } from "./talk.js";

const byId = (id) => document.getElementById(id);
const state = new State();
const panels = {
  talk: new TalkPanel(byId("panel-talk"), state),
  notes: new NotesPanel(byId("panel-notes"), state),
  policy: new PolicyPanel(byId("panel-policy"), state),
  models: new ModelsPanel(byId("panel-models"), state),
  config: new ConfigPanel(byId("panel-config"), state),
};
const record = new Record({
  onEvents: (events) => {
    activity.add(events);
    events.forEach(concern);
  },
  onReset: () => activity.showAll(),
  onState: (now, error) => {
    activity.setState(now, error);
    if (now === "live") refreshStale();
  },
});
const activity = new ActivityPanel(byId("panel-activity"), record);
const tabs = new Tabs(byId("tabs"), {
  onChosen: (name) => panels[name]?.show(),
});

/** A panel that is not seen is drawn anew when it is opened; the one that is seen a moment later. */
const CONCERNS = {
  talk: /^(?:message_received|reply_sent|session_started|exchange_|recalled|forgotten|notes_cleared)/,
  notes: /^(?:note_|notes_|rehearsal_|tool_shadowed|config_applied|forgotten)/,
  policy: /^(?:config_applied|locality_|tool_)/,
  models: /^(?:locality_|model_(?!called)|config_applied|runtime_started)/,
  config: /^config_/,
};
const timers = {};

function concern(event) {
  if (/^forg/.test(event.type)) void panels.talk.forgetGone();
  if (event.type === "config_applied") void state.load().then(showBrains, () => {});
  for (const [name, types] of Object.entries(CONCERNS)) {
    if (types.test(event.type)) touch(name, event);
  }
}

function touch(name, event) {
  panels[name].isStale = true;
  clearTimeout(timers[name]);
  timers[name] = setTimeout(() => {
    if (tabs.chosen === name) panels[name].refresh(event);
  }, 150);
}

/** After a time without the server anything may have changed. */
let wasLive = false;
function refreshStale() {
  if (wasLive) {
    void state.load().then(showBrains, () => {});
    for (const name of Object.keys(panels)) touch(name);
  }
  wasLive = true;
}

function showBrains() {
  activity.setBrains(state.brains.map((brain) => brain.name));
}

async function begin() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    history.replaceState(null, "", location.pathname);
    const trouble = await redeem(code);
    if (trouble && !session.token) return showSignIn(trouble);
    if (trouble) say(trouble);
  }
  if (!session.token) return showSignIn("");
  return await enter();
}

async function redeem(code) {
  try {
    const { token } = await call("POST", "/v1/sign-in/redeem", { body: { code } });
    session.keep(token);
    return "";
  } catch (error) {
    return error.status === 401 ? "This link was used already or is older than a minute. Run brain open again." : error.message;
  }
}

async function enter() {
  try {
    await state.load();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) return showSignIn(error.message);
  }
  byId("sign-in").hidden = true;
  byId("console").hidden = false;
  byId("sign-out").hidden = false;
  document.body.classList.add("inside");
  showBrains();
  record.start();
  tabs.begin();
  return undefined;
}

function showSignIn(text) {
  record.stop();
  wasLive = false;
  byId("console").hidden = true;
  byId("sign-out").hidden = true;
  byId("sign-in").hidden = false;
  document.body.classList.remove("inside");
  byId("sign-in-trouble").textContent = text;
  byId("token").focus();
}

session.onEnded = () => {
  session.forget();
  showSignIn("This sign-in has ended. Sign in again.");
};

byId("sign-in-form").addEventListener("submit", async (submit) => {
  submit.preventDefault();
  const token = byId("token").value.trim();
  byId("token").value = "";
  if (!/^[\x21-\x7e]+$/.test(token)) {
    showSignIn("A token has no spaces and only plain characters.");
    return;
  }
  session.keep(token);
  await enter();
});

byId("sign-out").addEventListener("click", async () => {
  // From here on nothing asks for a new sign-in: whoever asks with the ended secret gets no say.
  session.onEnded = () => {};
  record.stop();
  try {
    await call("DELETE", "/v1/sign-in");
  } catch {
    // A token that was typed in is not a page's own: there is nothing to end but what is kept here.
  }
  session.forget();
  forgetAll();
  location.reload();
});

addEventListener("online", () => record.nudge());
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#code=")) location.reload();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) record.nudge();
});

void begin();
