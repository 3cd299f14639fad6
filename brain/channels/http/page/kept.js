// What was written in this tab and is in no talk yet. It survives a reload, and goes with its talk.

import { call } from "./api.js";

const NAMES = { drafts: "brain.drafts", unanswered: "brain.unanswered", talk: "brain.talk" };

/** Lets go of all of it: whoever signs in here next did not write it. */
export function forgetAll() {
  for (const name of Object.values(NAMES)) sessionStorage.removeItem(name);
}

export function keptTalk() {
  return read("talk", null);
}

export function keepTalk({ channel, conversation, id }) {
  write("talk", { channel, conversation, id });
}

/** Returns what was typed for a talk and not sent. */
export function draftOf(talk) {
  return read("drafts", []).find((each) => isOf(each, talk))?.text ?? "";
}

export function keepDraft({ channel, conversation, id }, text) {
  const others = read("drafts", []).filter((each) => !isOf(each, { channel, conversation }));
  write("drafts", text.trim() ? [...others, { channel, conversation, id, text }] : others);
}

export function keptUnanswered() {
  return read("unanswered", []);
}

export function keepUnanswered(messages) {
  write(
    "unanswered",
    messages.map(({ channel, conversation, id, text, key, known, at }) => ({ channel, conversation, id, text, key, at, known: known && [...known] })),
  );
}

/** Returns the ids of talks that are gone, of `open` and those of which something is kept; their drafts go. */
export async function talksThatAreGone(open) {
  const ids = new Set([open, ...[...read("drafts", []), ...read("unanswered", [])].map((each) => each.id)].filter(Boolean));
  const gone = new Set();
  for (const id of ids) {
    try {
      await call("GET", `/v1/conversations/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error.status === 404) gone.add(id);
    }
  }
  if (gone.size) write("drafts", read("drafts", []).filter((each) => !gone.has(each.id)));
  return gone;
}

function isOf(each, { channel, conversation }) {
  return each.conversation === conversation && each.channel === channel;
}

function read(name, otherwise) {
  try {
    return JSON.parse(sessionStorage.getItem(NAMES[name])) ?? otherwise;
  } catch {
    return otherwise; // what stands there is none of ours
  }
}

function write(name, value) {
  try {
    sessionStorage.setItem(NAMES[name], JSON.stringify(value));
  } catch {
    // No room, or no storage in this browser: then a reload loses it, as it would have.
  }
}
