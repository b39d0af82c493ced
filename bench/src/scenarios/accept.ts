import { setTimeout as sleep } from 'node:timers/promises';
import type { SpawnedService } from '@sluice/testkit';
import type { LoadPlan, LoadResult } from '../load/load-plan';
import { createPlainTopic } from '../plain/create-plain-topic';
import type { ExpressServerCalls } from '../plain/express-server';
import { profiled } from '../profile/profile-service';
import type { Profiling } from '../profile/profiling';
import { median } from '../report/percentile';
import { startChild } from '../child';
import { busiest, type CpuUse } from '../stack/cpu-meter';
import { createConnectors, untilKnown } from '../stack/tenant';
import { atLeast, type Scenario } from './scenario';

const rounds = 3;
const roundMs = 4_000;
/** The services compile their hot code for some seconds: what that takes meanwhile is missing to those who send. */
const warmUpMs = 4_000;
const indexLagMs = 1_000;

const [bareName, plainName, acceptingName, hooksName, aloneName] = [
  'bare express 202',
  'express, a produce each',
  'ingest-api',
  'ingest-api, signed webhooks',
  'ingest-api, index in it too',
] as const;

/** What is under load: its address, and how it is called where CPU is measured. */
interface Server {
  name: string;
  url: string;
  label: string;
  service?: SpawnedService;
  /** What is called in it. */
  target: Pick<LoadPlan, 'path' | 'keys' | 'secret'>;
}

interface Round {
  perSecond: number;
  /** CPU of the server alone, microseconds for each accepted request; 0 where the system does not report it. */
  cpuUs: number;
  load: LoadResult;
  cpu: CpuUse;
}

type Measure = (server: Server, senders: number, ms: number) => Promise<Round>;

/** Accepts per second of one ingest-api (events, signed webhooks) against bare express and a produce per request, in turns. */
export const accept: Scenario = {
  name: 'accept',
  usesBroker: true,
  words: 'accepts per second of one ingest-api against bare express and a produce per request',
  run: async ({ stack, scale, profiling }) => {
    const portal = await stack.crm.addPortal(50);
    const connectors = await createConnectors(stack.configApi, stack.operatorToken, portal, 1);
    const { apiKey, id, webhookSecret } = connectors[0]!;
    const events = { path: '/api/v1/events', keys: [apiKey] };
    const hooks = { path: `/api/webhooks/${id}/shop`, keys: [''], secret: webhookSecret };
    const bare = startChild<ExpressServerCalls>('plain/express-server');
    const plain = startChild<ExpressServerCalls>('plain/express-server');
    const services: SpawnedService[] = [];
    const spawn = async (env: Record<string, string> = {}): Promise<SpawnedService> => {
      const service = await stack.spawn('ingest-api', env);
      services.push(service);
      await untilKnown(service.url, connectors);
      return service;
    };
    const stopServices = async (): Promise<void> => void (await Promise.all(services.splice(0).map((service) => service.stop())));
    const time = Math.max(scale, 0.5);
    const measure: Measure = async ({ url, label, target }, senders, ms) => {
      // The index rows that the previous round left do not belong to this round.
      await sleep(indexLagMs);
      const running = stack.measureCpu({ [bareName]: bare.pid, [plainName]: plain.pid });
      const load = await stack.load(plan(url, target, senders, ms));
      const cpu = running();
      return {
        perSecond: (load.accepted / load.elapsedMs) * 1000,
        cpuUs: ((cpu.cores[label] ?? 0) * load.elapsedMs * 1000) / load.accepted,
        load,
        cpu,
      };
    };
    try {
      await createPlainTopic(stack.brokers, 'plain.accept', 24);
      const express: Server = {
        name: bareName,
        label: bareName,
        target: events,
        url: (await bare.call('start', { brokers: null, topic: '' })).url,
      };
      const plainExpress: Server = {
        name: plainName,
        label: plainName,
        target: events,
        url: (await plain.call('start', { brokers: stack.brokers, topic: 'plain.accept' })).url,
      };
      // The one under load accepts and nothing else; another writes the event index, as where ingestion is scaled out.
      const accepting = serverOf(acceptingName, await spawn({ SLUICE_EVENT_INDEX: 'off' }), events);
      await spawn();
      const all = [express, plainExpress, accepting, { ...accepting, name: hooksName, target: hooks }];
      for (const senders of [400, 50])
        for (const server of all) await measure(server, senders, server.service ? warmUpMs * time : 2_000);
      const apart = await inTurns(measure, all, roundMs * time, profiling);
      await stopServices();
      const alone = serverOf(aloneName, await spawn(), events);
      for (const senders of [400, 50]) await measure(alone, senders, warmUpMs * time);
      const together = await inTurns(measure, [express, alone], roundMs * time, profiling);
      return {
        title: 'accept: one ingest-api process, acks=all; medians of rounds taken in turns',
        rows: [...apart, ...rowsOf(together)],
        figures: Object.fromEntries(rowsOf(together).map((row) => [`accept: ${row.senders} senders`, row['x bare']])),
        holds: apart.filter(({ server }) => server === acceptingName || server === hooksName)
          .map((row) => atLeast(`${row.server} against bare express, ${row.senders} senders`, row['x bare'], 1.5)),
      };
    } finally {
      await Promise.all([bare.stop(), plain.stop(), stopServices()]);
    }
  },
};

const plan = (url: string, target: Server['target'], senders: number, durationMs: number): LoadPlan => ({
  url,
  ...target,
  senders,
  shape: 'data',
  perRequest: 1,
  prefix: 'accept',
  requests: null,
  updates: 1,
  durationMs,
  rate: null,
});

/** The rows of the ingest-api that also writes the index. */
const rowsOf = <Row extends { server: string }>(rows: readonly Row[]): Row[] => rows.filter(({ server }) => server === aloneName);

const serverOf = (name: string, service: SpawnedService, target: Server['target']): Server =>
  ({ name, label: 'ingest-api', url: service.url, service, target });

/** Every server in turns, several times: a row for each and each number of senders, compared with the first server. */
async function inTurns(measure: Measure, servers: readonly Server[], ms: number, profiling: Profiling | null) {
  const rows = [];
  for (const senders of [50, 400]) {
    const found = new Map(servers.map(({ name }) => [name, [] as Round[]]));
    for (let round = 0; round < rounds; round += 1) {
      for (const server of servers) {
        const one = (): Promise<Round> => measure(server, senders, ms);
        found
          .get(server.name)!
          .push(
            server.service && round === 1
              ? await profiled(profiling, { [`${server.name}, ${senders} senders`]: server.service }, one)
              : await one(),
          );
      }
    }
    const of = (name: string): Round[] => found.get(name) ?? [];
    const ratio = (name: string, against: string): number =>
      median(of(name).map(({ perSecond }, round) => perSecond / (of(against)[round]?.perSecond ?? Number.NaN)));
    const cpuOf = (name: string): number => median(of(name).map(({ cpuUs }) => cpuUs));
    for (const [server, all] of found) {
      const last = all.at(-1)!;
      rows.push({
        server,
        senders,
        'accepts/s': median(all.map(({ perSecond }) => perSecond)),
        'x bare': ratio(server, bareName),
        'x plain': found.has(plainName) ? ratio(server, plainName) : null,
        'CPU µs': cpuOf(server),
        'x bare per CPU': cpuOf(bareName) / cpuOf(server),
        'p50 ms': last.load.p50,
        'p99 ms': last.load.p99,
        refused: all.reduce((sum, { load }) => sum + Object.values(load.refused).reduce((a, b) => a + b, 0), 0),
        cores: busiest(last.cpu),
      });
    }
  }
  return rows;
}
