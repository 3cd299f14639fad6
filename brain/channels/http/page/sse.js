// Reads server-sent events from a stream of bytes.

/** Yields `{event, data, id}` of each frame that carries something. `onBytes` is told of any bytes. */
export async function* framesOf(body, onBytes = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      held += value;
      let end;
      while ((end = held.indexOf("\n\n")) !== -1) {
        const frame = frameOf(held.slice(0, end));
        held = held.slice(end + 2);
        if (frame.data !== null) yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Returns the fields of one frame; `data` is null where it has none (a comment, a retry). */
export function frameOf(text) {
  const frame = { event: "message", data: null, id: null };
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") frame.data = frame.data === null ? value : `${frame.data}\n${value}`;
    else if (name === "event" || name === "id") frame[name] = value;
  }
  return frame;
}
