// Asks the server. The secret goes in a header, never into an address.

import { framesOf } from "./sse.js";

const KEPT = "brain.token";

/** A refusal or a failure, in words for people. `status` is 0 where the server could not be reached. */
export class ApiError extends Error {
  constructor(status, code, message, more = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = more.problems ?? [];
  }
}

export const session = {
  get token() {
    return localStorage.getItem(KEPT) ?? "";
  },
  keep(token) {
    localStorage.setItem(KEPT, token);
  },
  forget() {
    localStorage.removeItem(KEPT);
  },
  /** Called where a token is not good (any more). */
  onEnded: () => {},
};

/** Returns the value of a JSON answer. Throws ApiError. */
export async function call(method, path, { body, headers = {}, signal } = {}) {
  const response = await send(method, path, { body, headers, signal });
  return response.status === 204 ? null : await response.json();
}

/** Returns the answer itself, once it is a good one. Throws ApiError. */
export async function send(method, path, { body, text, headers = {}, signal } = {}) {
  const sent = { ...headers };
  const { token } = session;
  if (token) sent.Authorization = `Bearer ${token}`;
  if (body !== undefined || text !== undefined) sent["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: sent,
      body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal,
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The server can't be reached.");
  }
  if (response.ok) return response;
  throw await refusalOf(response, token);
}

async function refusalOf(response, token) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // Not one of ours: a proxy answered. Its status is all there is to tell.
  }
  const { code = "unknown", message = `The server answered ${response.status}.` } = told.error ?? {};
  const isToken = response.status === 401 && (code === "wrong_token" || code === "no_token");
  if (isToken && token === session.token) session.onEnded();
  return new ApiError(response.status, code, sentence(message), told);
}

function sentence(message) {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Yields `{event, data, id}` of an answer that goes on. Throws ApiError. */
export async function* stream(method, path, options = {}) {
  const headers = { ...options.headers, Accept: "text/event-stream" };
  const response = await send(method, path, { ...options, headers });
  options.onOpen?.();
  yield* framesOf(response.body, options.onBytes);
}

/** Returns the path with the parameters that are not empty. */
export function withQuery(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
