// Follows the record of events and holds the newest of them: each once, in order, none left out.

import { call, session, stream, withQuery } from "./api.js";

const PATH = "/v1/activity";
const PAGE = 200;
const HELD_AT_MOST = 2000;
const QUIET_MS = 40_000; // the server shows a sign of life every 15 seconds
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** Tells `onEvents(events)`, `onReset()` and `onState(state, error?)` what comes. */
export class Record {
  constructor({ onEvents, onReset, onState }) {
    this.events = [];
    this.last = 0;
    this.hasEarlier = false;
    this._tell = { onEvents, onReset, onState };
    this._stop = null;
    this._nudge = () => {};
  }

  start() {
    if (this._stop) return;
    this._stop = new AbortController();
    this._run(this._stop.signal);
  }

  stop() {
    this._stop?.abort();
    this._stop = null;
    this._nudge();
  }

  /** Tries again now where it waits to. */
  nudge() {
    this._nudge();
  }

  /** Puts the events before the first one held in front. Throws ApiError. */
  async loadEarlier() {
    const first = this.events[0]?.seq ?? 1;
    const after = Math.max(0, first - 1 - PAGE);
    const { events } = await call("GET", withQuery(PATH, { after, limit: PAGE }));
    const earlier = events.filter((event) => event.seq < first);
    this.events = [...earlier, ...this.events];
    this.hasEarlier = after > 0 && earlier.length > 0;
    return earlier;
  }

  async _run(stop) {
    let wait = FIRST_WAIT_MS;
    this._tell.onState("connecting");
    while (!stop.aborted) {
      try {
        await this._catchUp(stop);
        await this._follow(stop, () => {
          wait = FIRST_WAIT_MS;
        });
        if (!stop.aborted) this._tell.onState("waiting");
      } catch (error) {
        if (stop.aborted) return;
        if (error.status === 401 || error.status === 403) {
          this._stop = null;
          this._tell.onState("refused", error);
          return;
        }
        this._tell.onState("waiting", error);
      }
      await this._pause(wait, stop);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  /** Begins with the newest events, and begins anew where the record is another one than before. */
  async _catchUp(stop) {
    const { events, head } = await call("GET", withQuery(PATH, { limit: PAGE }), { signal: stop });
    const same = events.find((event) => event.seq === this.last);
    const isAnother = head < this.last || (same && same.hash !== this.events.at(-1)?.hash);
    if (this.last === 0 || isAnother) this._begin(events, head);
  }

  _begin(events, head) {
    this.events = events;
    this.last = events.at(-1)?.seq ?? head;
    this.hasEarlier = (events[0]?.seq ?? 1) > 1;
    this._tell.onReset();
  }

  async _follow(stop, onLive) {
    const cut = new AbortController();
    const end = () => cut.abort();
    stop.addEventListener("abort", end);
    let quiet = setTimeout(end, QUIET_MS);
    const onBytes = () => {
      clearTimeout(quiet);
      quiet = setTimeout(end, QUIET_MS);
    };
    const onOpen = () => {
      onLive();
      this._tell.onState("live");
    };
    const headers = { "Last-Event-ID": String(this.last) };
    try {
      const path = withQuery(PATH, { after: this.last });
      for await (const frame of stream("GET", path, { headers, signal: cut.signal, onOpen, onBytes })) {
        if (frame.event === "resync") return await this._resync(stop);
        if (frame.event === "event" && !this._take(JSON.parse(frame.data))) return undefined;
      }
    } finally {
      clearTimeout(quiet);
      stop.removeEventListener("abort", end);
      cut.abort();
    }
    return undefined;
  }

  async _resync(stop) {
    const { events, head } = await call("GET", withQuery(PATH, { limit: PAGE }), { signal: stop });
    this._begin(events, head);
  }

  /** Takes the next event; false where one is missing before it: then it is fetched again from there. */
  _take(event) {
    if (event.seq <= this.last) return true;
    if (this.last && event.seq !== this.last + 1) return false;
    this.last = event.seq;
    this.events.push(event);
    if (this.events.length > HELD_AT_MOST) {
      this.events.splice(0, this.events.length - HELD_AT_MOST);
      this.hasEarlier = true;
    }
    this._tell.onEvents([event]);
    return true;
  }

  _pause(ms, stop) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this._nudge = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stop.aborted || !session.token) this._nudge();
    });
  }
}
