import type { VerifiedProperty, VerifiedRecord } from '@sluice/flow-run';
import type { FoundRow, VerificationSubject } from '@sluice/ports';

/** A run of a record, and what comparing its event with the CRM gave of the record; null: the event writes nothing of it now. */
export interface ComparedRun {
  rowId: string;
  deleted: boolean;
  record: VerifiedRecord | null;
}

/**
 * What a verification finds of a record. Per property the newest run that wrote it says what is expected. What is not known of
 * the newest run may have been any property, so that nothing older is expected then.
 * @param runs those that wrote it, the newest first
 * @param exists whether the record that it is mapped to is in the CRM; asked for only when no run is known
 */
export function judgeSubject(
  { n, externalId, mapped, accepted }: VerificationSubject, runs: readonly ComparedRun[], exists: boolean,
): FoundRow {
  const found = (status: FoundRow['status'], more: Partial<FoundRow> = {}): FoundRow =>
    ({ n, externalId, crmId: mapped?.crmId ?? null, status, properties: [], repairedBy: [], ...more });
  const known = runs.filter(({ record }) => record !== null);
  const newest = known[0]?.record;
  if (!newest) {
    if (runs.length > 0) return found('not_verifiable');
    return found(mapped === null ? (accepted ? 'missing' : 'not_verifiable') : exists ? 'not_verifiable' : 'missing');
  }
  const crmId = newest.crm_id ?? mapped?.crmId ?? null;
  if (newest.status === 'missing' || newest.status === 'not_verifiable') return found(newest.status, { crmId });
  const [{ rowId: newestRow, deleted: isDeleted }] = known as [ComparedRun];
  if (isDeleted && newest.status === 'match') return found('matched', { crmId });
  if (isDeleted) return found('mismatched', { crmId, repairedBy: [newestRow] });
  const expected = new Map<string, { rowId: string; property: VerifiedProperty }>();
  for (const { rowId, deleted, record } of known) {
    if (deleted) break;
    for (const property of record!.properties)
      if (!expected.has(property.name)) expected.set(property.name, { rowId, property });
  }
  const different = [...expected.values()].filter(({ property }) => !property.match);
  if (different.length === 0) return found('matched', { crmId });
  const writers = new Set(different.map(({ rowId }) => rowId));
  return found('mismatched', {
    crmId,
    properties: different.map(({ property: { name, expected: wanted, actual } }) => ({ name, expected: wanted, actual })),
    repairedBy: known.map(({ rowId }) => rowId).filter((rowId) => writers.has(rowId)).reverse(),
  });
}
