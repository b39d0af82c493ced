/** Limits of the expressions of one attempt of one event (docs/limits.md). Lengths are counted in UTF-16 units. */
export interface ExpressionLimits {
  /** Steps of work: a visited value, sixteen characters of a transformed text, or one element of a list is about one step. */
  steps: number;
  /** Matches of one path, and elements of one list that a transform makes. */
  matches: number;
  /** Length of a text that a transform or a template produces. */
  valueLength: number;
  /** Length of all texts of one projection together. */
  projectionLength: number;
  /** Length of all texts that transforms and templates make during the attempt. */
  producedLength: number;
}

export const defaultExpressionLimits: ExpressionLimits = {
  steps: 2_000_000,
  matches: 100_000,
  valueLength: 1_048_576,
  projectionLength: 1_048_576,
  producedLength: 16_777_216,
};

/** The cost so far: steps of work, and the length of texts that were made. */
export interface Cost {
  steps: number;
  produced: number;
}

/** Values nested deeper than this are not serialized or compared: the engine's own stack is not deeper. */
const maxDepth = 2_000;

/** An expression exceeded a limit of its event. `message` names the limit; the caller adds the mapping or step. */
export class ExpressionLimitError extends Error {
  override name = 'ExpressionLimitError';
}

/**
 * Counts what the expressions of one attempt cost, and stops them with an `ExpressionLimitError`. It is mutable on purpose: all
 * copies of a context share it, so that many cheap expressions count together.
 */
export class WorkBudget {
  private steps = 0;
  private produced = 0;

  constructor(readonly limits: ExpressionLimits = defaultExpressionLimits) {}

  /** What was spent so far. */
  get cost(): Cost {
    return { steps: this.steps, produced: this.produced };
  }

  /** Spends the cost of a value that was computed before. */
  charge({ steps, produced }: Cost): void {
    this.work(steps);
    this.make(produced);
  }

  /** What was spent, in steps: sixteen characters that were made count as one. */
  get spent(): number {
    return this.steps + Math.floor(this.produced / 16);
  }

  /** Spends steps of work. Call it before the work is done. */
  work(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limits.steps)
      throw new ExpressionLimitError(`more than ${this.limits.steps} steps of work for one event`);
  }

  /** Spends the work of reading a text once. */
  read(text: string): void {
    this.work(1 + Math.floor(text.length / 16));
  }

  /** A list that a path or a transform is making has this many elements. */
  elements(count: number): void {
    if (count > this.limits.matches) throw new ExpressionLimitError(`more than ${this.limits.matches} matches or elements`);
  }

  /** Throws when a text of this length may not be read or made. */
  checkLength(length: number): void {
    const { valueLength } = this.limits;
    if (length > valueLength) throw new ExpressionLimitError(`a text of more than ${valueLength} characters`);
  }

  /**
   * A text of this length is about to be made. It may be longer than `valueLength` only when it is not longer than what it is
   * made from: cutting a long text is allowed, growing one is not.
   * @param from length of the text it is made from
   */
  produce(length: number, from = 0): void {
    if (length > from) this.checkLength(length);
    this.make(length);
  }

  private make(length: number): void {
    const { producedLength } = this.limits;
    this.produced += length;
    if (this.produced > producedLength)
      throw new ExpressionLimitError(`more than ${producedLength} characters of text made for one event`);
  }

  /**
   * Spends the work of walking a whole value, and returns about how long its JSON text is. A part that is there several times
   * counts each time, as a serializer would meet it each time.
   */
  weigh(value: unknown): number {
    let length = 0;
    const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
    while (open.length > 0) {
      const { value: current, depth } = open.pop()!;
      this.work(1);
      if (depth > maxDepth) throw new ExpressionLimitError(`a value nested deeper than ${maxDepth} levels`);
      if (typeof current === 'string') {
        this.read(current);
        length += current.length + 2;
      } else if (current !== null && typeof current === 'object') {
        length += 2;
        for (const [key, inner] of Object.entries(current)) {
          if (!Array.isArray(current)) length += key.length + 3;
          open.push({ value: inner, depth: depth + 1 });
        }
      } else length += 8;
    }
    return length;
  }
}
