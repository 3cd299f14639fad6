// What was written here and has no answer yet: it stays on the page, also where the talk does not hold it.

import { keepUnanswered, keptUnanswered } from "./kept.js";

/** The messages that were written on this page and are not known to be answered. */
export class Unanswered {
  /** `show` gives a message that was kept over a reload its rows. */
  constructor(show) {
    this.kept = keptUnanswered().map((each) => show({ mayBeSentAgain: false, ...each, known: new Set(each.known ?? []) }));
  }

  /**
   * Keeps a message until its answer is there. `row` shows it. `known` are the exchanges that were in the
   * talk before it was written, null where nobody had looked: what is none of them may be its own.
   */
  keep(message) {
    const kept = { answer: null, mayBeSentAgain: false, ...message };
    this.kept.push(kept);
    keepUnanswered(this.kept);
    return kept;
  }

  drop(message) {
    this.kept = this.kept.filter((each) => each !== message);
    keepUnanswered(this.kept);
  }

  /** Lets go of what was written to talks that were forgotten. */
  forget(ids) {
    this.kept = this.kept.filter((each) => !ids.has(each.id));
    keepUnanswered(this.kept);
  }

  /**
   * Returns the rows to show below these turns of a talk: the messages that are not among them, and under
   * each its answer, as far as it came. One that is among them is kept on only where it may be sent again.
   */
  rowsBelow(turns, isOfTalk) {
    const claimed = new Set();
    const rows = [];
    for (const message of this.kept.filter(isOfTalk)) {
      const turn = turns.find((each) => isOf(message, each) && !claimed.has(each));
      if (turn) claimed.add(turn);
      const isAnswered = turn && turns.some((each) => each.role === "assistant" && each.exchange_id === turn.exchange_id);
      if (isAnswered || (turn && !message.mayBeSentAgain)) this.drop(message);
      else rows.push(...[!turn && message.row, message.answer].filter(Boolean));
    }
    return rows;
  }
}

function isOf(message, turn) {
  return turn.role === "user" && turn.text.trim() === message.text.trim() && message.known !== null && !message.known.has(turn.exchange_id);
}
