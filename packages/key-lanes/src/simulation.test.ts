import { createSeededRandom } from '@sluice/seeded-random';
import type { KeyLanesOptions } from './key-lanes-options';
import { createKeyLanes, type KeyLanes } from './index';
import { simulate, type SimulationReport } from './simulation/simulate';
import type { Fate } from './simulation/world';

// SEED=n runs that seed alone; SEEDS=n runs so many from 1 on.
const first = Number(process.env.SEED ?? 1);
const last = process.env.SEED ? first : Number(process.env.SEEDS ?? 3000);

type Create = (options: KeyLanesOptions) => KeyLanes<Fate>;

function run(seed: number, create: Create): SimulationReport {
  try {
    return simulate(createSeededRandom(seed), create);
  } catch (error) {
    throw new Error(`SEED=${seed}: ${(error as Error).message}`, { cause: error });
  }
}

test(`lanes keep order, lose nothing and never commit too far (seeds ${first} to ${last})`, () => {
  const sum = { events: 0, crashes: 0, moves: 0, failing: 0 };
  for (let seed = first; seed <= last; seed += 1) {
    const report = run(seed, createKeyLanes);
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += report[key];
  }
  // A run without crashes and retries proves nothing.
  if (first !== last) expect(Math.min(...Object.values(sum))).toBeGreaterThan(last - first);
});

test('the same seed is the same run', () => {
  expect(run(7, createKeyLanes)).toEqual(run(7, createKeyLanes));
});

/** Lanes with one defect each, and the error that the simulation must report. */
const broken: Record<
  string,
  { wrong: (lanes: KeyLanes<Fate>, options: KeyLanesOptions) => Partial<KeyLanes<Fate>>; says: RegExp }
> = {
  'commits the highest seen': {
    wrong: (lanes) => {
      const seen = new Map<number, bigint>();
      return {
        add: (items, partition, epoch) => {
          const added = lanes.add(items, partition, epoch);
          if (added > 0) seen.set(partition, items.at(-1)!.offset + 1n);
          return added;
        },
        committable: (partition) => seen.get(partition) ?? lanes.committable(partition),
      };
    },
    says: /commit: \d+ is past/,
  },
  'loses an item': {
    wrong: (lanes) => ({
      add: (items, partition, epoch) =>
        lanes.add(
          items.filter(({ offset }) => offset % 20n !== 19n),
          partition,
          epoch,
        ),
    }),
    says: /commit: \d+ is past|order: .* before/,
  },
  'takes more than it may': {
    wrong: (_, options) => createKeyLanes<Fate>({ ...options, maxInFlight: options.maxInFlight + 1 }),
    says: /bound: \d+ items in flight/,
  },
  'does not keep to its bounds': {
    wrong: () => ({ shouldPause: () => false, shouldResume: () => true }),
    says: /bound: \d+ items buffered/,
  },
  'keeps a revoked partition': { wrong: () => ({ revoke: () => [] }), says: /epoch: |order: |commit: / },
  'treats a release as a completion': {
    wrong: (lanes) => ({ release: (work) => lanes.complete(work) }),
    says: /commit: |order: /,
  },
  'lets held events run too early': { wrong: () => ({ isClearBefore: () => true }), says: /order: / },
  'ignores blocks of groups': { wrong: () => ({ blockGroup: () => undefined }), says: /block: / },
  'never removes a block': { wrong: () => ({ unblockGroup: () => undefined }), says: /stuck|stays at/ },
};

/** The lanes, with some methods replaced by those of `defect`. */
function withDefect(lanes: KeyLanes<Fate>, defect: Partial<KeyLanes<Fate>>): KeyLanes<Fate> {
  return new Proxy(lanes, {
    get: (target, name: keyof KeyLanes<Fate>) => {
      const owner = name in defect ? (defect as KeyLanes<Fate>) : target;
      return owner[name].bind(owner);
    },
  });
}

test.each(Object.entries(broken))('the simulation finds lanes in which one %s', (_, { wrong, says }) => {
  const create: Create = (options) => {
    const lanes = createKeyLanes<Fate>(options);
    return withDefect(lanes, wrong(lanes, options));
  };
  expect(() => {
    for (let seed = 1; seed <= 400; seed += 1) run(seed, create);
  }).toThrow(says);
});
