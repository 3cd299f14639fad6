// Asks how a new talk is to be called, and on which channel it is.

import { ask, el } from "./dom.js";

/** Asks for a name that none of `talks` has; `choose` opens the talk. */
export function askForTalk(talks, state, choose) {
  const taken = new Set(talks.map((talk) => talk.conversation));
  let number = 2;
  while (taken.has(`talk ${number}`)) number += 1;
  const name = el("input", { id: "talk-new", value: `talk ${number}`, maxlength: "80", autocomplete: "off" });
  const channels = state.httpChannels ?? [];
  const channel = el(
    "select",
    { id: "talk-channel" },
    channels.map((each) => el("option", { value: each }, `${each} (${state.brainOf(each)})`)),
  );
  const dialog = ask({
    title: "New talk",
    body: [
      el("div", { class: "field" }, el("label", { for: "talk-new" }, "Name"), name),
      channels.length > 1 && el("div", { class: "field" }, el("label", { for: "talk-channel" }, "On channel"), channel),
    ],
    yes: "Begin",
    run: async () => {
      const conversation = name.value.trim();
      if (!conversation) throw new Error("A talk needs a name.");
      await choose({ channel: channel.value, conversation });
    },
  });
  name.addEventListener("keydown", (press) => {
    if (press.key === "Enter") dialog.querySelector("button.primary").click();
  });
  name.select();
}
