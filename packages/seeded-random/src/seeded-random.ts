import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Numbers that look random and are the same for the same seed. */
export interface SeededRandom {
  /** 0 <= n < below. */
  int(below: number): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
}

/** @param seed a whole number; neighbouring ones give unrelated numbers */
export function createSeededRandom(seed: number): SeededRandom {
  const generator = mersenne(seed);
  const between = (least: number, most: number): number => uniformInt(generator, least, most);
  return {
    between,
    int: (below) => between(0, below - 1),
    chance: (probability) => uniformFloat32(generator) < probability,
    pick: (items) => items[between(0, items.length - 1)]!,
  };
}
