import type { CrmRecord } from '../stack/crm';
import { emailOf, type LoadPlan, type LoadResult, sequenceText } from '../load/load-plan';

/** What the CRM's own records say about a load. */
export interface Verification {
  /** Records whose acceptance was answered 202. */
  expected: number;
  /** Of them, not in the CRM, or without their last accepted update. */
  lost: number;
  /** Records beyond the first with the same address. */
  duplicates: number;
  /** Records with an older sequence written after a newer one. */
  outOfOrder: number;
  /** Writes beyond one per accepted update. */
  writtenAgain: number;
}

/** One accepted record and when it was first written. Milliseconds since the epoch. */
export interface Written {
  request: number;
  acceptedAt: number;
  writtenAt: number;
}

/**
 * Reads from the write logs of the CRM's records what became of a load.
 * @param contacts all contacts of the portal; those of other loads do not count
 */
export function verifyRecords(
  plan: LoadPlan,
  load: LoadResult,
  contacts: readonly CrmRecord[],
): { verification: Verification; written: Written[]; lastWriteAt: number } {
  const byEmail = new Map<string, CrmRecord[]>();
  for (const contact of contacts) {
    const email = contact.properties['email'] ?? '';
    if (email.startsWith(`${plan.prefix}-`)) byEmail.set(email, [...(byEmail.get(email) ?? []), contact]);
  }
  const verification: Verification = { expected: 0, lost: 0, duplicates: 0, outOfOrder: 0, writtenAgain: 0 };
  const written: Written[] = [];
  let lastWriteAt = 0;
  for (const records of byEmail.values()) verification.duplicates += records.length - 1;
  for (let request = 0; request < (plan.requests ?? 0); request += 1) {
    const accepts = load.acceptedAt.map((update) => update[request]!);
    const newest = accepts.findLastIndex((at) => at > 0);
    if (newest < 0) continue;
    for (let item = 0; item < plan.perRequest; item += 1) {
      verification.expected += 1;
      const record = byEmail.get(emailOf(plan.prefix, request, item))?.[0];
      const sequences = record?.write_log.flatMap(({ properties }) => properties['bench_sequence'] ?? []) ?? [];
      if (!sequences.includes(sequenceText(newest))) verification.lost += 1;
      if (!record) continue;
      if (isDisordered(sequences)) verification.outOfOrder += 1;
      verification.writtenAgain += Math.max(0, record.writes - accepts.filter((at) => at > 0).length);
      const times = record.write_log.map(({ at }) => Date.parse(at));
      written.push({ request, acceptedAt: accepts[0]!, writtenAt: times[0]! });
      lastWriteAt = Math.max(lastWriteAt, ...times);
    }
  }
  return { verification, written, lastWriteAt };
}

/** Whether an older sequence was written after a newer one. Strict: a rerun after a crash may show it too. */
function isDisordered(sequences: readonly string[]): boolean {
  return sequences.some((sequence, index) => index > 0 && sequence < sequences[index - 1]!);
}
