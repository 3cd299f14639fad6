// Problems of a config: where, what was found, what was expected, how to mend it.

import { el } from "./dom.js";

/** Returns the list; `onPlace(line, column)` makes each place a button. */
export function problemList(problems, onPlace) {
  return el(
    "ol",
    { class: "problems" },
    problems.map((problem) => {
      const place = problem.line ? `line ${problem.line}, column ${problem.column}` : "the whole file";
      return el(
        "li",
        { class: `problem ${problem.severity ?? "problem"}` },
        el(
          "p",
          { class: "problem-place" },
          el("strong", {}, problem.severity === "warning" ? "Warning" : "Problem"),
          " ",
          problem.line && onPlace ? el("button", { class: "link", onclick: () => onPlace(problem.line, problem.column) }, place) : place,
          " ",
          problem.path && el("code", {}, problem.path),
        ),
        el(
          "dl",
          {},
          [["found", problem.found], ["expected", problem.expected], ["fix", problem.fix]]
            .filter(([, text]) => text)
            .map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]),
        ),
      );
    }),
  );
}
