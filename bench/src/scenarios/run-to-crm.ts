import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan, LoadResult } from '../load/load-plan';
import { percentile } from '../report/percentile';
import type { CrmRecord, CrmStats, Portal } from '../stack/crm';
import { busiest, type CpuUse, perRecord } from '../stack/cpu-meter';
import type { Stack } from '../stack/stack';
import { type StorageReading, storedPerRecord } from '../stack/storage-meter';
import { type Outcomes, verifyOutcomes } from '../verify/verify-outcomes';
import { type Verification, verifyRecords, type Written } from '../verify/verify-records';

/** A load followed to the last record it writes. */
export interface RunToCrm {
  load: LoadResult;
  verification: Verification;
  outcomes: Outcomes;
  written: Written[];
  /** First accept to last write. */
  seconds: number;
  recordsPerSecond: number;
  callsPerRecord: number;
  /** From the 202 to the write, milliseconds. */
  p50: number;
  p95: number;
  cpu: CpuUse;
  /** Bytes a record in Kafka's segments, in Postgres's tables and indexes, and in its write-ahead log. */
  stored: Record<keyof StorageReading, number>;
  /** Calls by route and status, of this load. */
  routes: Record<string, number>;
  contacts: CrmRecord[];
}

const quietMs = 15_000;

/** What is done while a load is under way, and ends before it is verified. */
export interface BesideLoad {
  /** Runs beside it, for example to kill something. */
  during?: () => Promise<void>;
  /** Looks at it, from before the first request until all is written. */
  watch?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Sends a load and waits until the CRM has written all of it, or has written nothing more for 15 s. */
export async function runToCrm(
  stack: Stack,
  portal: Portal,
  ingestUrl: string,
  plan: LoadPlan,
  { during, watch = (work) => work() }: BesideLoad = {},
): Promise<RunToCrm> {
  const [before, storedBefore] = await Promise.all([portal.stats(), stack.storage()]);
  const { load, written: writtenBy, cores } = await watch(async () => {
    const cpu = stack.measureCpu();
    const [sent] = await Promise.all([stack.load(plan), during?.()]);
    const end = await untilWritten(portal, (before.records_written['contacts'] ?? 0) + sent.accepted * plan.perRequest);
    return { load: sent, written: end, cores: cpu() };
  });
  let after = writtenBy;
  let contacts = await portal.contacts();
  let found = verifyRecords(plan, load, contacts);
  // Some of what was counted may have been written twice: what is missing then is still on its way.
  while (found.verification.lost > 0 && !after.quiet) {
    after = await untilWritten(portal, (after.stats.records_written['contacts'] ?? 0) + found.verification.lost);
    contacts = await portal.contacts();
    found = verifyRecords(plan, load, contacts);
  }
  const { verification, written, lastWriteAt } = found;
  const outcomes = await verifyOutcomes(ingestUrl, plan, load);
  const storedAfter = await stack.storage();
  const waits = written.map(({ acceptedAt, writtenAt }) => writtenAt - acceptedAt).sort((a, b) => a - b);
  const seconds = (lastWriteAt - load.firstAcceptAt) / 1000;
  const records = load.accepted * plan.perRequest;
  return {
    load,
    verification,
    outcomes,
    written,
    seconds,
    contacts,
    recordsPerSecond: records / seconds,
    callsPerRecord: (after.stats.calls - before.calls) / records,
    p50: percentile(waits, 0.5),
    p95: percentile(waits, 0.95),
    cpu: cores,
    stored: storedPerRecord(storedBefore, storedAfter, records),
    routes: routesSince(before, after.stats),
  };
}

/** `quiet`: fewer than wanted were written, and nothing more for 15 s. */
export async function untilWritten(portal: Portal, wanted: number): Promise<{ stats: CrmStats; quiet: boolean }> {
  let best = -1;
  let since = performance.now();
  for (;;) {
    const stats = await portal.stats();
    const now = stats.records_written['contacts'] ?? 0;
    if (now >= wanted) return { stats, quiet: false };
    if (now > best) [best, since] = [now, performance.now()];
    if (performance.now() - since > quietMs) return { stats, quiet: true };
    await sleep(100);
  }
}

function routesSince(before: CrmStats, after: CrmStats): Record<string, number> {
  const flat = (stats: CrmStats): [string, number][] =>
    Object.entries(stats.calls_by_route).flatMap(([route, statuses]) =>
      Object.entries(statuses).map(([status, n]): [string, number] => [`${route} ${status}`, n]),
    );
  const earlier = new Map(flat(before));
  return Object.fromEntries(
    flat(after)
      .map(([route, n]): [string, number] => [route, n - (earlier.get(route) ?? 0)])
      .filter(([, n]) => n > 0),
  );
}

/** The columns every run to the CRM shows. */
export function runColumns({
  recordsPerSecond,
  callsPerRecord,
  p50,
  p95,
  verification,
  outcomes,
  load,
  cpu,
  stored,
}: RunToCrm): Record<string, unknown> {
  const refused = Object.values(load.refused).reduce((sum, n) => sum + n, 0);
  return {
    records: verification.expected,
    'records/s': recordsPerSecond,
    'calls/record': callsPerRecord,
    'p50 ms': p50,
    'p95 ms': p95,
    lost: verification.lost,
    duplicates: verification.duplicates,
    'out of order': verification.outOfOrder,
    'written again': verification.writtenAgain,
    'not completed': `${outcomes.other} of ${outcomes.asked}`,
    refused,
    'accept p50': load.p50,
    'CPU µs/record': (cpu.seconds / verification.expected) * 1e6,
    'by part': perRecord(cpu, verification.expected),
    'bytes/record': Object.entries(stored).map(([name, bytes]) => `${name} ${Math.round(bytes)}`).join(', '),
    cores: busiest(cpu),
  };
}
