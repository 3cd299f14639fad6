// Builds elements. Content is only ever set as text: there is no road to markup here.

const PROPERTIES = new Set(["checked", "disabled", "hidden", "open", "value"]);

/**
 * Returns a new element. `attributes` holds attributes, properties such as `hidden`, and listeners as
 * `onclick`; children are elements or texts, and what is null or false is left out.
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (PROPERTIES.has(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter(isThere).map(asNode));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(isThere).map(asNode));
}

function isThere(child) {
  return child !== null && child !== undefined && child !== false;
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/** Returns what stands where nothing does. */
export function empty(title, text) {
  return el("div", { class: "empty" }, el("p", { class: "empty-title" }, title), el("p", {}, text));
}

export function loading(what) {
  return el("p", { class: "loading", role: "status" }, `Loading ${what} …`);
}

/** Returns a failure in words, with a button where trying again may help. */
export function trouble(error, again) {
  const isMissing = error.status === 404 || error.status === 405;
  const title = isMissing
    ? "Not available"
    : error.status === 403
      ? "For the operator"
      : "This could not be had";
  return el(
    "div",
    { class: "empty", role: "alert" },
    el("p", { class: "empty-title" }, title),
    el("p", {}, isMissing && error.code === "not_found" ? "This server does not offer it, or it is gone." : error.message),
    again && error.status !== 403 && el("button", { onclick: again }, "Try again"),
  );
}

export function effectChip(effect) {
  return el("span", { class: `chip ${effect}` }, effect);
}

let toastTimer = 0;

/** Says shortly what was done. */
export function say(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    toast.classList.remove("shown");
    toast.textContent = "";
  }, 6000);
}

/** Asks before something is done; `run` may throw, and its words are then shown in the dialog. */
export function ask({ title, body, yes, run, isDangerous = false }) {
  const told = el("p", { class: "trouble", role: "alert" });
  const act = el("button", { class: isDangerous ? "danger" : "primary", value: "yes" }, yes);
  const dialog = el(
    "dialog",
    { "aria-labelledby": "ask-title", class: "ask" },
    el("h2", { id: "ask-title" }, title),
    el("div", { class: "ask-body" }, body),
    told,
    el("div", { class: "row end" }, el("button", { onclick: () => dialog.close() }, "Cancel"), act),
  );
  act.addEventListener("click", async () => {
    act.disabled = true;
    told.textContent = "";
    try {
      await run();
      dialog.close();
    } catch (error) {
      told.textContent = error.message;
      act.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function timeOf(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

/** Returns the time of a moment, with its day where that is not today. */
export function momentOf(at) {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** Returns words as a sentence. */
export function sentenceOf(words) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Returns `1 note` or `2 notes`. */
export function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
