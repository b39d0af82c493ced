import type { CallFault } from '../crm-log';
import { cappedSeeds, cappedWorld } from './capped-worlds';
import { crowded, largeWorlds } from './crowded-worlds';
import { peculiar } from './peculiar-worlds';
import type { Prng } from '../time/prng';
import { replayedSeeds, replayedWorld } from './replayed-worlds';
import { salesEventTypes, ticketEventTypes } from './sim-event-types';
import type { Scenario } from './scenario';
import { troubles, usualChances } from './trouble';

/** So that a few events reach the bounds. */
const smallBounds = { maxConvoy: 6, maxInFlight: 30, maxDrains: 6, maxLaneDrains: 6, maxHeldScopes: 5,
  maxHeldScopesPerConnector: 2 };

/** Events in memory above which fetching pauses. */
const intakes = [
  { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 400_000 },
  { maxBuffered: 13, maxPerConnector: 4, eventMemoryBytes: 400_000 },
  { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 120_000 },
] as const;

/** Much of all. */
const usualFates: readonly CallFault[] = [
  'before',
  'before',
  'before',
  'after',
  'after',
  'late',
  'late',
  'limited',
  'unauthorized',
  'forbidden',
];
/** Mostly faults that hold a flow instead of a lane; only calls without an answer. */
const narrowFates: readonly (readonly CallFault[])[] = [
  ['forbidden', 'forbidden', 'forbidden', 'unauthorized', 'before'],
  ['after', 'late'],
];

/** How many worlds are about tickets: created, deleted and upserted in lists. */
const ticketWorlds = 0.25;

/** How many worlds are peculiar. */
const peculiarWorlds = 0.42;

/**
 * In half of the worlds replays create their records before they read them (ADR 0340).
 * @param seed a few seeds have the numbers of events that have been a problem, with the usual bounds of a runner
 */
export function drawScenario(prng: Prng, seed: number): Scenario {
  const drawn = drawWorld(prng, seed);
  return { ...drawn, bounds: { ...drawn.bounds, expectsNewRecords: seed % 2 === 0 } };
}

function drawWorld(prng: Prng, seed: number): Scenario {
  const usual = drawUsual(prng);
  const large = largeWorlds.get(seed % 1_000);
  if (large) return { ...usual, ...large(usual) };
  if (cappedSeeds.has(seed % 100)) return { ...usual, ...cappedWorld(usual) };
  if (replayedSeeds.has(seed % 100)) return { ...usual, ...replayedWorld(usual) };
  return prng.chance(peculiarWorlds) ? { ...usual, ...prng.pick([...peculiar, ...crowded])(usual) } : usual;
}

function drawUsual(prng: Prng): Scenario {
  const chances = { ...usualChances };
  for (const trouble of troubles) chances[trouble] *= prng.pick([0, 1, 1, 3]);
  const types = prng.chance(ticketWorlds) ? ticketEventTypes : salesEventTypes;
  return {
    chances,
    acts: 9 + prng.int(16),
    paceMs: prng.pick([150, 400, 700, 1_200]),
    connectors: 1 + prng.int(3),
    customers: 1 + prng.int(5),
    orders: 1 + prng.int(5),
    tickets: 1 + prng.int(4),
    eventTypes: prng.chance(0.3) ? [prng.pick(types), prng.pick(types)] : types,
    longestList: 5,
    burst: prng.pick([2, 5, 7, 14]),
    events: 8 + prng.int(16),
    starts: 0.08,
    ordering: 'record',
    outageMs: { least: 1_000, more: 20_000 },
    slowRunners: 0,
    times: {},
    crowd: null,
    cap: null,
    replayWork: null,
    refusals: 0,
    crmFaults: prng.pick([0.05, 0.2, 0.4]),
    crmFates: prng.pick([usualFates, usualFates, ...narrowFates]),
    storeMs: prng.pick([6, 6, 80]),
    storeLosses: 0.01,
    heldPage: prng.pick([2, 5, 500]),
    bounds: { ...smallBounds, ...prng.pick(intakes) },
  };
}
