import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan, LoadResult } from '../load/load-plan';
import { profiled } from '../profile/profile-service';
import { createPlainTopic } from '../plain/create-plain-topic';
import type { ExpressServerCalls } from '../plain/express-server';
import { median } from '../report/percentile';
import { startChild } from '../stack/child';
import { busiest, type CpuUse } from '../stack/cpu-meter';
import { createConnectors, untilKnown } from '../stack/tenant';
import { atLeast, type Scenario } from './scenario';

const rounds = 3;
const roundMs = 4_000;
/** The broker compiles its hot code for half a minute: what it takes meanwhile is missing to those who send. */
const warmUpMs = 10_000;
const indexLagMs = 1_000;

const plan = (url: string, key: string, senders: number, durationMs: number): LoadPlan => ({
  url, path: '/api/v1/events', keys: [key], senders, shape: 'data', perRequest: 1, prefix: 'accept', requests: null, updates: 1, durationMs, rate: null,
});

interface Round {
  perSecond: number;
  /** CPU of the server alone, microseconds for each accepted request; 0 where the system does not tell. */
  cpuUs: number;
  load: LoadResult;
  cpu: CpuUse;
}

/** Accepts per second of one ingest-api, against bare express and against a produce per request, in turns. */
export const accept: Scenario = {
  name: 'accept',
  words: 'accepts per second of one ingest-api against bare express and a produce per request',
  run: async ({ stack, scale, profileDir }) => {
    const portal = await stack.crm.addPortal(50);
    const [connector] = await createConnectors(stack.configApi, stack.operatorToken, portal, 1);
    // The one under load accepts and nothing else; another writes the event index, as where ingestion is scaled out.
    const ingest = await stack.spawn('ingest-api', { SLUICE_EVENT_INDEX: 'off' });
    await stack.spawn('ingest-api');
    const bare = startChild<ExpressServerCalls>('plain/express-server');
    const plain = startChild<ExpressServerCalls>('plain/express-server');
    try {
      await untilKnown(ingest.url, [connector!]);
      await createPlainTopic(stack.brokers, 'plain.accept', 24);
      const urls = {
        'bare express 202': (await bare.call('start', { brokers: null, topic: '' })).url,
        'express, a produce each': (await plain.call('start', { brokers: stack.brokers, topic: 'plain.accept' })).url,
        'ingest-api': ingest.url,
      };
      const measure = async (name: string, senders: number, ms: number): Promise<Round> => {
        // What the round before left to the writer of the event index is not this one's.
        await sleep(indexLagMs);
        const running = stack.measureCpu({ 'bare express 202': bare.pid, 'express, a produce each': plain.pid });
        const load = await stack.load(plan(urls[name as keyof typeof urls], connector!.apiKey, senders, ms));
        const cpu = running();
        return { perSecond: (load.accepted / load.elapsedMs) * 1000, cpuUs: ((cpu.cores[name] ?? 0) * load.elapsedMs * 1000) / load.accepted, load, cpu };
      };
      for (const senders of [400, 50]) {
        for (const name of Object.keys(urls)) await measure(name, senders, name === 'ingest-api' ? warmUpMs * Math.max(scale, 0.5) : 2_000);
      }
      const rows: Record<string, unknown>[] = [];
      const holds = [];
      for (const senders of [50, 400]) {
        const found = Object.fromEntries(Object.keys(urls).map((name) => [name, [] as Round[]]));
        for (let round = 0; round < rounds; round += 1) {
          for (const name of Object.keys(urls)) {
            const one = (): Promise<Round> => measure(name, senders, roundMs * Math.max(scale, 0.5));
            found[name]!.push(name === 'ingest-api' && round === 1 ? await profiled(profileDir, { [`ingest-api, ${senders} senders`]: ingest }, one) : await one());
          }
        }
        const ratio = (name: string, against: string): number => median(found[name]!.map(({ perSecond }, round) => perSecond / found[against]![round]!.perSecond));
        const cpuOf = (name: string): number => median(found[name]!.map(({ cpuUs }) => cpuUs));
        for (const [name, all] of Object.entries(found)) {
          const last = all.at(-1)!;
          rows.push({
            server: name, senders, 'accepts/s': median(all.map(({ perSecond }) => perSecond)), 'x bare': ratio(name, 'bare express 202'), 'x plain': ratio(name, 'express, a produce each'),
            'CPU µs': cpuOf(name), 'x bare per CPU': cpuOf('bare express 202') / cpuOf(name), 'p50 ms': last.load.p50, 'p99 ms': last.load.p99, refused: all.reduce((sum, { load }) => sum + Object.values(load.refused).reduce((a, b) => a + b, 0), 0),
            cores: busiest(last.cpu),
          });
        }
        holds.push(atLeast(`accepts against bare express, ${senders} senders`, ratio('ingest-api', 'bare express 202'), 1.5));
      }
      return { title: 'accept: one ingest-api process, acks=all; medians of rounds taken in turns', rows, holds };
    } finally {
      await Promise.all([bare.stop(), plain.stop(), ingest.stop()]);
    }
  },
};
