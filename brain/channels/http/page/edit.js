// Finds and replaces one value in a JSON text and leaves every other character as it is. Pure.

const SPACE = " \t\n\r";
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Says that a text is not JSON, or that nothing stands at a path. `at` is an index into the text. */
export class EditError extends Error {
  constructor(message, at = -1) {
    super(message);
    this.at = at;
  }
}

/**
 * Returns the tree of the text: each node has `start` and `end`, and `value` (a scalar), `items` (of an
 * array) or `fields` (of an object: a Map of nodes). Throws EditError; a key that comes twice is refused,
 * since which of the two counts would be a guess.
 */
export function scan(text) {
  const scanner = new Scanner(text);
  scanner.space();
  const root = scanner.value();
  scanner.space();
  if (scanner.at < text.length) scanner.fail("nothing more was expected");
  return root;
}

/** Returns the node at a path such as `["brains", 0, "agent"]`. Throws EditError. */
export function find(root, path) {
  let node = root;
  for (const step of path) {
    node = typeof step === "number" ? node.items?.[step] : node.fields?.get(step);
    if (node === undefined) throw new EditError(`nothing stands at ${pathText(path)}`);
  }
  return node;
}

/** Returns the text with the value at `path` replaced; all else stays, byte for byte. */
export function replaceAt(text, path, value) {
  const node = find(scan(text), path);
  return text.slice(0, node.start) + JSON.stringify(value) + text.slice(node.end);
}

/** Returns the plain value of a node. */
export function plain(node) {
  if (node.items) return node.items.map(plain);
  if (node.fields) return Object.fromEntries([...node.fields].map(([key, field]) => [key, plain(field)]));
  return node.value;
}

/** Returns the path that a config path such as `brains[0].agent` means. */
export function pathOf(text) {
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) => (index === undefined ? name : Number(index)));
}

export function pathText(path) {
  return path.map((step, at) => (typeof step === "number" ? `[${step}]` : at ? `.${step}` : step)).join("");
}

/** Returns the line on which an index lies, from 1. */
export function lineOf(text, at) {
  let line = 1;
  for (let index = text.indexOf("\n"); index !== -1 && index < at; index = text.indexOf("\n", index + 1)) line += 1;
  return line;
}

class Scanner {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(message) {
    throw new EditError(`${message} on line ${lineOf(this.text, this.at)}`, this.at);
  }

  space() {
    while (this.at < this.text.length && SPACE.includes(this.text[this.at])) this.at += 1;
  }

  value() {
    const start = this.at;
    const sign = this.text[start];
    if (sign === "{") return this.object(start);
    if (sign === "[") return this.array(start);
    if (sign === '"') return { value: this.string(), start, end: this.at };
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      if (this.text.startsWith(word, start)) {
        this.at += word.length;
        return { value, start, end: this.at };
      }
    }
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(this.text);
    if (number === null) this.fail("a value was expected");
    this.at += number[0].length;
    return { value: Number(number[0]), start, end: this.at };
  }

  string() {
    const start = this.at;
    this.at += 1;
    for (;;) {
      const sign = this.text[this.at];
      if (sign === undefined || sign < " ") this.fail("a text does not end");
      this.at += sign === "\\" ? 2 : 1;
      if (sign === '"') break;
    }
    try {
      return JSON.parse(this.text.slice(start, this.at));
    } catch {
      this.at = start;
      return this.fail("a text with a wrong escape begins");
    }
  }

  object(start) {
    const fields = new Map();
    this.at += 1;
    this.space();
    if (!this.takes("}")) {
      do {
        this.space();
        if (this.text[this.at] !== '"') this.fail("a key was expected");
        const key = this.string();
        if (fields.has(key)) this.fail(`the key ${JSON.stringify(key)} comes twice`);
        this.space();
        if (!this.takes(":")) this.fail("':' was expected");
        this.space();
        fields.set(key, this.value());
        this.space();
      } while (this.takes(","));
      if (!this.takes("}")) this.fail("',' or '}' was expected");
    }
    return { fields, start, end: this.at };
  }

  array(start) {
    const items = [];
    this.at += 1;
    this.space();
    if (!this.takes("]")) {
      do {
        this.space();
        items.push(this.value());
        this.space();
      } while (this.takes(","));
      if (!this.takes("]")) this.fail("',' or ']' was expected");
    }
    return { items, start, end: this.at };
  }

  takes(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }
}
