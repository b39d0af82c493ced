/** Seeded random numbers, given by who runs a simulation: the pure packages know no chance. */
export interface Prng {
  /** 0 <= n < below. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<E>(list: readonly E[]): E;
}
