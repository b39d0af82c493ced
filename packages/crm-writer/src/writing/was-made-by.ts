import type { CrmRecord, RecordWrite } from '@sluice/ports';
import { sameValue } from '../shared/same-value';

/** By how much the clocks of the CRM and of the store may differ, milliseconds. */
export const clocksDifferMs = 60_000;

/**
 * Whether an earlier attempt of an event, whose answer was lost, made the record: it has the values of the event and was made
 * since then. The clock of this process plays no part: the CRM dates the record, the store dates the attempt.
 */
export const wasMadeBy = ({ properties }: Pick<RecordWrite, 'properties'>, record: CrmRecord, since: number): boolean =>
  !(Date.parse(record.createdAt) < since - clocksDifferMs)
  && Object.entries(properties).every(([name, value]) => sameValue(name, record.properties[name] ?? null, value));
