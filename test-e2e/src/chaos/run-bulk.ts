import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { services } from '@sluice/deployment';
import { createSeededRandom, type SeededRandom } from '@sluice/seeded-random';
import { BulkJobs, peopleConfig } from '../support/bulk-jobs';
import type { Cluster } from '../support/cluster';
import { readCrm } from '../support/verify-crm';

/** What was found of one job. */
export interface BulkFinding {
  job: 'import' | 'verification' | 'export';
  seconds: number;
  /** `kill -9`s while it ran. */
  kills: number;
  /** Empty: it ended whole. */
  problems: string[];
}

/** Between two kills everything runs, for so long at most. */
const calmMs = 1_500;

/** Kills instances until `job` has ended: each service once, in an order of chance, then again in another order. */
async function killedWhile<T>(
  cluster: Cluster, random: SeededRandom, job: Promise<T>, tell: (line: string) => void,
): Promise<{ ended: T; kills: number }> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  job.then(over, over);
  let kills = 0;
  while (!isOver || kills < services.length) {
    const left = [...services];
    while (left.length > 0 && (!isOver || kills < services.length)) {
      const [{ name }] = left.splice(random.int(left.length), 1) as [typeof services[number]];
      await sleep(random.int(calmMs));
      await cluster.replace(name, random.int(cluster.instances(name)));
      kills += 1;
      tell(`  kill -9 of ${name}: it is ready again`);
    }
  }
  return { ended: await job, kills };
}

const wrong = (what: string, found: unknown, wanted: unknown): string[] =>
  found === wanted ? [] : [`${what}: ${String(found)} instead of ${String(wanted)}`];

/**
 * An import, a verification of all of its records and an export, one after the other, while instances of every service are
 * killed.
 * @param tell called with a line of progress
 */
export async function runBulk(
  cluster: Cluster, { rows, seed }: { rows: number; seed: number }, tell: (line: string) => void,
): Promise<BulkFinding[]> {
  const random = createSeededRandom(seed);
  const tenant = await cluster.tenant(peopleConfig);
  const jobs = new BulkJobs(cluster, tenant);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-chaos-bulk-'));
  const findings: BulkFinding[] = [];
  const run = async <T>(
    job: BulkFinding['job'], begin: () => Promise<() => Promise<T>>, judge: (ended: T) => Promise<string[]> | string[],
  ): Promise<void> => {
    const begun = performance.now();
    const end = await begin();
    const { ended, kills } = await killedWhile(cluster, random, end(), tell);
    const finding = { job, seconds: (performance.now() - begun) / 1_000, kills, problems: await judge(ended) };
    tell(`${job}: ${finding.seconds.toFixed(1)} s, ${kills} kills, ${finding.problems.length} problems`);
    findings.push(finding);
  };
  try {
    await run('import', () => jobs.import(rows), async ({ rows_done: done, rows_failed: failed }) => {
      const crm = await readCrm(cluster, tenant.portalId, 'contacts', 'email', 'firstname');
      return [
        ...wrong('rows done', done, rows), ...wrong('rows failed', failed, 0), ...wrong('records of the CRM', crm.records, rows),
        ...crm.duplicates.map((name) => `twice in the CRM: ${name}`),
      ];
    });
    await run('verification', () => jobs.verification(), ({ checked, matched }) =>
      [...wrong('checked', checked, rows), ...wrong('matched', matched, rows)]);
    await run('export', () => jobs.export(join(folder, 'export.zip')), ({ problems, externalIds }) => [
      ...problems, ...wrong('rows of the history', externalIds.length, rows),
      ...wrong('records of the history', new Set(externalIds).size, rows),
    ]);
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A line for each job, and what is wrong with it. */
export const bulkText = (findings: readonly BulkFinding[]): string => findings.map(lineOf).join('\n');

function lineOf({ job, seconds, kills, problems }: BulkFinding): string {
  const verdict = problems.length === 0 ? 'whole' : 'NOT whole';
  const line = `${job.padEnd(12)} ${seconds.toFixed(1).padStart(8)} s ${String(kills).padStart(4)} kills   ${verdict}`;
  return [line, ...problems.slice(0, 5).map((problem) => `  ${problem}`)].join('\n');
}
