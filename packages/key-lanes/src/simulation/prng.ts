/** Seeded random numbers: the same seed gives the same run, everywhere. */
export interface Prng {
  /** 0 <= n < below. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<E>(list: readonly E[]): E;
}

// Looked up once: in the test runner every look-up of a global is slow.
const { floor, imul } = Math;

/** Mulberry32. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = imul(t ^ (t >>> 15), t | 1);
    t ^= t + imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  const int = (below: number) => floor(next() * below);
  return { int, chance: (probability) => next() < probability, pick: (list) => list[int(list.length)]! };
}
