/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to below 1. */
  next(): number;
  chance(part: number): boolean;
  /** From `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<T>(values: readonly T[]): T;
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    chance: (part) => next() < part,
    pick: (values) => values[integer(0, values.length - 1)] as (typeof values)[number],
  };
}
