import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '@sluice/seeded-random';
import type { Cluster } from '../../support/cluster';
import { startPolledLists } from './polled-lists';
import { sourceConfig } from './source-config';

export interface SourceKillsOptions {
  /** Changes of the journal. */
  changes: number;
  /** Polls that bring something new, at least. */
  polls: number;
  /** How often one of the journal-pollers is killed with SIGKILL. */
  kills: number;
  seed: number;
  /** How long everything may take to arrive after the last kill, milliseconds. */
  arrivedWithinMs: number;
}

/** What became of the changes and of what was polled. Examples say which. */
export interface SourceKillsFindings {
  changes: number;
  polls: number;
  /** Elements that polls brought. */
  items: number;
  kills: number;
  /** Changes and elements without a record in the CRM. */
  missed: string[];
  /** Those with more than one record. */
  duplicates: string[];
  /** Records that nothing asked for. */
  others: string[];
  /** Writes beyond the first of each record: what at-least-once allows. */
  writtenAgain: number;
}

/** Edits of the CRM at once. */
const editors = 8;

interface SimRecord {
  properties: Record<string, string | null>;
  writes: number;
}

/**
 * Changes the CRM while journal-pollers are killed, one after the other, and lists are polled; then waits until everything has
 * arrived. The cluster needs at least two journal-pollers with short ticks. Throws when a poll or a service does not go on.
 * @param tell called with a line of progress
 */
export async function runSourceKills(
  cluster: Cluster, { arrivedWithinMs, changes, kills, polls, seed }: SourceKillsOptions, tell: (line: string) => void,
): Promise<SourceKillsFindings> {
  const random = createSeededRandom(seed);
  const lists = await startPolledLists();
  try {
    const { portalId } = await cluster.tenant(sourceConfig(lists.url));
    const addressOf = (number: number): string => `change-${number}@journal.test`;
    let made = 0;
    const change = async (until: number): Promise<void> => {
      while (made < until) {
        made += 1;
        const properties = { email: addressOf(made) };
        await cluster.sim('POST', '/_sim/edits', { portal_id: Number(portalId), object_type: 'contacts', action: 'create',
          properties });
      }
    };
    const changeUntil = async (until: number): Promise<void> =>
      void (await Promise.all(Array.from({ length: editors }, () => change(until))));
    const pollUntil = async (count: number): Promise<void> => {
      const deadline = performance.now() + arrivedWithinMs;
      while (lists.polls() < count) {
        if (performance.now() > deadline) throw new Error(`after ${lists.polls()} polls the lists are not polled any more`);
        await sleep(100);
      }
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      const changing = changeUntil(Math.floor((changes * kill) / (kills + 1)));
      await sleep(random.int(1_000));
      await cluster.replace('journal-poller', random.int(cluster.instances('journal-poller')));
      await changing;
      await pollUntil(Math.floor((polls * kill) / (kills + 1)));
      tell(`kill ${kill} of journal-poller: ${made} changes made, ${lists.polls()} polls`);
    }
    await Promise.all([changeUntil(changes), pollUntil(polls)]);
    lists.freeze();
    tell(`${made} changes were made and ${lists.polls()} polls brought ${lists.handedOut().length} elements; waiting for their records`);
    const wanted = {
      deals: { identity: 'description', values: Array.from({ length: changes }, (_, index) => addressOf(index + 1)) },
      companies: { identity: 'domain', values: lists.handedOut() },
    };
    const findings = await arrived(cluster, portalId, wanted, arrivedWithinMs);
    return { changes, polls: lists.polls(), items: wanted.companies.values.length, kills, ...findings };
  } finally {
    await lists.stop();
  }
}

type Wanted = Record<string, { identity: string; values: readonly string[] }>;
type Arrived = Pick<SourceKillsFindings, 'missed' | 'duplicates' | 'others' | 'writtenAgain'>;

/** Reads the portal until nothing is missed, or the time is over. */
async function arrived(cluster: Cluster, portalId: string, wanted: Wanted, withinMs: number): Promise<Arrived> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found: Arrived = { missed: [], duplicates: [], others: [], writtenAgain: 0 };
    for (const [objectType, { identity, values }] of Object.entries(wanted)) {
      const { items } = (await cluster.sim('GET', `/_sim/records?portal_id=${portalId}&object_type=${objectType}`)) as
        { items: SimRecord[] };
      addRecords(found, values, items.map((record) => ({ name: record.properties[identity] ?? '', writes: record.writes })));
    }
    if (found.missed.length === 0 || performance.now() > deadline) return found;
    await sleep(1_000);
  }
}

function addRecords(found: Arrived, values: readonly string[], records: readonly { name: string; writes: number }[]): void {
  const [expected, seen] = [new Set(values), new Set<string>()];
  for (const { name, writes } of records) {
    if (!expected.has(name)) found.others.push(name);
    else if (seen.has(name)) found.duplicates.push(name);
    seen.add(name);
    found.writtenAgain += writes - 1;
  }
  found.missed.push(...values.filter((value) => !seen.has(value)));
}
