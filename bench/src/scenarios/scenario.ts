import type { Profiling } from '../profile/profiling';
import type { Stack } from '../stack/stack';

/** What a scenario gets. */
export interface ScenarioContext {
  stack: Stack;
  /** Multiplies amounts of work and durations. */
  scale: number;
  /** Records of a soak; left out: its own number times `scale`. */
  records: number | undefined;
  /** Floods and kinds of flows that `neighbours` measures; undefined: all of them. */
  floods: readonly string[] | undefined;
  flows: readonly string[] | undefined;
  /** What is profiled, and where that goes; null: nothing. */
  profiling: Profiling | null;
  /** Print which statements Postgres runs. */
  statements: boolean;
  /** What earlier scenarios of the run found, by their name. */
  earlier: Record<string, ScenarioResult>;
}

/** Numbers to print and to keep. */
export interface ScenarioResult {
  title: string;
  rows: Record<string, unknown>[];
  /** What the project promises of it, and whether it held. */
  holds: { what: string; value: number; limit: number; ok: boolean }[];
  /** The numbers that goals are set for, by their name in `report/goals.ts`. */
  figures?: Record<string, number>;
  /** Kept with the results, not printed. */
  details?: unknown;
}

/** One measurement. Cleans up after itself, services included. */
export interface Scenario {
  name: string;
  words: string;
  /** It measures what a broker takes part in: the broker is warmed up before the first of them. */
  usesBroker?: true;
  run(context: ScenarioContext): Promise<ScenarioResult>;
}

export const atLeast = (what: string, value: number, limit: number) => ({
  what: `${what} >= ${limit}`,
  value,
  limit,
  ok: value >= limit,
});
export const atMost = (what: string, value: number, limit: number) => ({
  what: `${what} <= ${limit}`,
  value,
  limit,
  ok: value <= limit,
});
