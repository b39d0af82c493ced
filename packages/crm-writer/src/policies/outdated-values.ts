import type { CarriedRecord } from '@sluice/ports';
import { objectTypeName } from '../shared/object-type';
import type { RecordCalls } from '../calls/record-calls';
import { sameValue } from '../shared/same-value';
import type { UnitContext } from '../shared/unit-context';

/**
 * `freshness_check` of an outbound flow (docs/reference/echoes.md): whether the record has other values by now in every property
 * that the event changed and the request carries. The journal tells of those values too, so nothing is lost when the older ones
 * are not sent. False when the CRM does not answer, and for a record that is gone.
 */
export async function isOutdated(
  calls: Pick<RecordCalls, 'read'>, unit: UnitContext, { changed = [], crmId, objectType, properties }: CarriedRecord,
): Promise<boolean> {
  if (changed.length === 0 || unit.forced) return false;
  const read = await calls.read(objectTypeName(objectType), null, changed, { unit, value: crmId });
  if (!read.ok || read.value === null) return false;
  const held = read.value.properties;
  return changed.every((name) => !sameValue(name, held[name] ?? null, properties[name] ?? null));
}
