import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalFunctions } from '@sluice/functions-local';
import { type FunctionName, type FunctionPlatform, silentLogger } from '@sluice/ports';
import { createMemoryFunctionCode } from '@sluice/ports/testing';
import { percentile } from '../report/percentile';
import { atLeast, atMost, type Scenario } from './scenario';

/** What a plugin of a shop does: reads its payload and answers with other values. */
const smallCode = `exports.handler = async ({ n }) => ({ action: 'continue', output: { n: n + 1, label: 'row ' + n } });`;
/** Computes until the bound of time ends it. */
const endlessCode = 'exports.handler = async () => { for (;;); };';

/** A function as its organization uses it. */
interface Deployed {
  /** Milliseconds of one invocation. Throws unless it returned. */
  invoke(): Promise<number>;
  /** Invokes it, whatever comes of that. */
  flood(): Promise<unknown>;
}

interface Published {
  name: FunctionName;
  version: number;
}

/** As the first version of a function of a new organization. */
async function publish(platform: FunctionPlatform, code: string): Promise<Published> {
  const name = { organizationId: randomUUID(), pluginId: randomUUID(), developerId: null };
  const published = await platform.publish(name, code, randomUUID());
  if (!published.ok) throw new Error(published.message);
  return { name, version: published.version };
}

function deployed(platform: FunctionPlatform, { name, version }: Published): Deployed {
  const call = {
    organizationId: name.organizationId, functionArn: platform.arnOf(name), qualifier: version, payload: { n: 1 },
    grants: { hosts: [], secrets: [] },
  };
  return {
    invoke: async () => {
      const began = performance.now();
      const { kind } = await platform.invoke(call);
      if (kind !== 'returned') throw new Error(`an invocation ended ${kind}`);
      return performance.now() - began;
    },
    flood: () => platform.invoke(call),
  };
}

const open = (maxChildren: number, store = createMemoryFunctionCode()): FunctionPlatform =>
  createLocalFunctions({ store, logger: silentLogger, allowPrivateTargets: false, maxChildren });

/** Milliseconds until a platform that gave its spare process away has another one. */
const sparePauseMs = 2_000;

/** First invocations of so many functions, each of an organization of its own. Milliseconds, in turn. */
async function coldStarts(count: number): Promise<number[]> {
  const store = createMemoryFunctionCode();
  const first = open(1, store);
  const published: Published[] = [];
  for (let at = 0; at < count; at += 1) published.push(await publish(first, smallCode));
  await first.close();
  const platform = open(4, store);
  const times: number[] = [];
  for (const one of published) {
    times.push(await deployed(platform, one).invoke());
    await sleep(sparePauseMs);
  }
  await platform.close();
  return times;
}

/** One after another. Sorted, milliseconds. */
async function oneByOne({ invoke }: Deployed, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) times.push(await invoke());
  return times.sort((a, b) => a - b);
}

/** Invocations a second, so many at once. */
async function rateOf({ invoke }: Deployed, { seconds, atOnce }: { seconds: number; atOnce: number }): Promise<number> {
  const began = performance.now();
  const end = began + seconds * 1_000;
  let count = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (; performance.now() < end; count += 1) await invoke();
  }));
  return count / ((performance.now() - began) / 1_000);
}

/** Runs `work` while an organization keeps all processes busy that it may have, with a queue behind them. */
async function besideFlood<T>(platform: FunctionPlatform, work: () => Promise<T>): Promise<T> {
  const { flood } = deployed(platform, await publish(platform, endlessCode));
  let isOver = false;
  const floods = Array.from({ length: 50 }, async () => {
    while (!isOver) await flood();
  });
  try {
    return await work();
  } finally {
    isOver = true;
    await platform.close();
    await Promise.allSettled(floods);
  }
}

const ms = (value: number): string => value.toFixed(2);

/** Functions on the platform `local`: one after another, at once, cold, and beside the flood of another organization. */
export const plugins: Scenario = {
  name: 'plugins',
  words: 'functions of plugins on the platform local',
  run: async ({ scale }) => {
    const [invocations, seconds] = [Math.ceil(4_000 * scale), 5 * scale];
    const [noProcess = 0, ...others] = await coldStarts(9);
    const cold = others.sort((a, b) => a - b);
    const platform = open(4);
    const small = deployed(platform, await publish(platform, smallCode));
    await oneByOne(small, 1_000);
    const warm = await oneByOne(small, invocations);
    const rate = await rateOf(small, { seconds, atOnce: 32 });
    const beside = await besideFlood(platform, () => oneByOne(small, invocations));
    const row = (what: string, times: readonly number[]) => (
      { what, 'p50 ms': ms(percentile(times, 0.5)), 'p95 ms': ms(percentile(times, 0.95)), 'per s': '' }
    );
    return {
      title: 'plugins: a small function on the platform local',
      rows: [
        row('warm, one after another', warm),
        { what: 'warm, 32 at once', 'p50 ms': '', 'p95 ms': '', 'per s': Math.round(rate) },
        row('first invocation, a spare process is ready', cold),
        row('first invocation, no process has started', [noProcess]),
        row('warm, while another organization floods its functions', beside),
      ],
      holds: [
        atMost('warm p50, ms', percentile(warm, 0.5), 1),
        atLeast('invocations/s', rate, 2_000),
        atMost('first invocation p50, ms', percentile(cold, 0.5), 100),
      ],
    };
  },
};
