/** Seeded random numbers, passed in by the caller: the pure packages use no random source. */
export interface Prng {
  /** 0 <= n < below. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<E>(list: readonly E[]): E;
}
