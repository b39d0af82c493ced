import { invalid, notFound } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { Actor, CrmRecord } from '../stores/record-store';

/** At most this many records may have been merged into one (docs/reference/crm-api.md, Writing). */
const maxIdentities = 250;

const joined = (...lists: readonly (string | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => list?.split(';') ?? []))].filter((entry) => entry !== '').join(';');

/** The properties that the survivor gets: values it lacks, the loser's ids, and a contact's further email addresses. */
function takenOver(type: ObjectType, survivor: CrmRecord, loser: CrmRecord): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const [name, value] of Object.entries(loser.properties))
    if (survivor.properties[name] === undefined) changes[name] = value;
  changes['hs_merged_object_ids'] = joined(
    survivor.properties['hs_merged_object_ids'],
    loser.properties['hs_merged_object_ids'],
    loser.id,
  );
  if (type.id !== '0-1') return changes;
  const email = survivor.properties['email'] ?? changes['email'];
  const others = joined(
    survivor.properties['hs_additional_emails'],
    loser.properties['hs_additional_emails'],
    loser.properties['email'],
  );
  const additional = others.split(';').filter((one) => one !== '' && one !== email).join(';');
  if (additional !== '') changes['hs_additional_emails'] = additional;
  return changes;
}

/** Merges the loser into the survivor: its id resolves to the survivor from then on, its associations move over. */
export function mergeRecords(
  portal: PortalState,
  type: ObjectType,
  survivorId: string,
  loserId: string,
  actor: Actor,
): { record: CrmRecord } | { problem: Problem } {
  const { store } = portal.space(type);
  const survivor = store.findLive(survivorId);
  const loser = store.findLive(loserId);
  if (!survivor || !loser) return { problem: notFound() };
  if (survivor === loser) return { problem: invalid('Cannot merge an object with itself') };
  const changes = takenOver(type, survivor, loser);
  if (changes['hs_merged_object_ids']!.split(';').length > maxIdentities)
    return { problem: invalid(`Cannot merge: more than ${maxIdentities} objects would be merged into ${survivor.id}`) };
  const links = portal.associations.detach({ typeId: type.id, id: loser.id });
  const at = portal.now();
  store.forward(loser, survivor, at);
  store.update(survivor, changes, at, actor);
  for (const { to, types } of links) {
    if (to.typeId !== type.id || to.id !== survivor.id)
      portal.associations.link(
        { typeId: type.id, id: survivor.id },
        to,
        types.filter((one) => one.singleSide === undefined),
        false,
      );
  }
  portal.emit({
    kind: 'object',
    action: 'MERGE',
    objectTypeId: type.id,
    objectId: survivor.id,
    at,
    changes,
    mergedObjectIds: [loser.id],
  });
  return { record: survivor };
}
