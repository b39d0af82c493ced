/** Seeded random numbers: the same seed gives the same run. */
export interface Prng {
  /** 0 <= n < below. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<E>(list: readonly E[]): E;
}

/** Mulberry32. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return { int, chance: (probability) => next() < probability, pick: (list) => list[int(list.length)]! };
}
