import type { OutcomeReason, StepItem } from '@sluice/contracts';
import type { BulkStep, BulkSteps, RecordRow } from '@sluice/ports';

/** The last run of one entity of an event. */
export interface LastRun {
  /** The row with the traces of all steps: the unit's own row, or that of its first item. */
  row: RecordRow;
  skipped: BulkSteps;
}

/** One entity and run has a row of its own and a row for each item of its bulk steps. */
export function lastRuns(rows: readonly RecordRow[]): LastRun[] {
  const newest = new Map<number, RecordRow>();
  for (const row of rows) {
    const known = newest.get(row.unit.entityIndex);
    if (!known || known.completedAt < row.completedAt) newest.set(row.unit.entityIndex, row);
  }
  return [...newest.values()].map(({ unit: { entityIndex, run } }) => {
    const own = rows.filter(({ unit }) => unit.entityIndex === entityIndex && unit.run === run);
    const items = own.filter(({ item }) => item !== undefined).sort((one, other) => (one.id < other.id ? -1 : 1));
    const row = own.find(({ item }) => item === undefined) ?? items[0]!;
    return { row, skipped: skippedItems(items) };
  });
}

function skippedItems(items: readonly RecordRow[]): BulkSteps {
  const steps: Record<string, BulkStep & { items: StepItem[] }> = {};
  for (const { item, status, action, entityName, externalId, crmId, reason } of items) {
    const at = item!.lastIndexOf('/');
    if (status !== 'skipped' || action === null || entityName === null) continue;
    const [id, index] = [item!.slice(0, at), Number(item!.slice(at + 1))];
    // A reason from the flow's text never marks a skipped item: only a `skip` step has such a reason.
    const why = reason as OutcomeReason | null;
    const facts = { external_id: externalId, crm_id: crmId, status: 'skipped' as const, reason: why, failure: null };
    steps[id] ??= { place: 0, action, items: [] };
    steps[id].items.push({ index, key: externalId ?? '', entity: entityName, ...facts });
  }
  return steps;
}
