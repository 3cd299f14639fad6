// What several panels need to know: the brains, and the channels of the config.

import { call, send } from "./api.js";
import { EditError, plain, scan } from "./edit.js";

export class State {
  constructor() {
    this.brains = [];
    this.isOperator = true;
    this.httpChannels = null; // null: not known
    this.talk = { channel: "", conversation: "main" };
  }

  /** Asks anew. Throws ApiError, but not where the token is simply not the operator's. */
  async load() {
    try {
      const { brains } = await call("GET", "/v1/brains");
      this.brains = brains;
      this.isOperator = true;
    } catch (error) {
      if (error.status !== 403) throw error;
      this.isOperator = false;
      this.brains = [];
    }
    if (this.isOperator) await this.loadChannels();
  }

  async loadChannels() {
    try {
      const { text } = await readConfig();
      const { channels } = plain(scan(text));
      const found = (channels ?? []).filter((channel) => channel.type === "http");
      this.httpChannels = found.map((channel) => channel.name ?? channel.type);
    } catch (error) {
      if (!(error instanceof EditError) && error.status === undefined) throw error;
      this.httpChannels = null;
    }
  }

  get brainNames() {
    return this.brains.map((brain) => brain.name);
  }

  brain(name) {
    return this.brains.find((brain) => brain.name === name);
  }

  /** Returns the channel a new talk is on, or "" for whichever the server takes. */
  get firstChannel() {
    return this.httpChannels?.[0] ?? "";
  }

  mayTalkOn(channel) {
    return this.httpChannels === null || this.httpChannels.includes(channel);
  }

  brainOf(channel) {
    return this.brains.find((brain) => brain.channels.includes(channel))?.name ?? "";
  }
}

/** Returns the config file's text, every character of it, and its ETag. Throws ApiError. */
export async function readConfig() {
  const response = await send("GET", "/v1/config");
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { text, etag: response.headers.get("ETag") ?? "" };
}

/** Puts another text in its place and in force; what came of it. Throws ApiError. */
export async function putConfig(text, etag) {
  const response = await send("PUT", "/v1/config", { text, headers: { "If-Match": etag } });
  return await response.json();
}

/** Returns what the calls on record would have come to under another text. Throws ApiError. */
export async function replayConfig(text) {
  const response = await send("POST", "/v1/config/replay", { text });
  return await response.json();
}
