import { isLaterPosition, type CallFailure, type IdentityMap, type Mapping } from '@sluice/ports';
import type { MappingLookup } from './mapping-lookup';
import { objectTypeName } from '../shared/object-type';
import type { RecordMappings } from './record-mappings';
import type { UnitContext } from '../shared/unit-context';

/** An external id that is too long for a key is stored as its beginning and its digest: the whole id is unknown. */
const digested = /^.{200}#[0-9a-f]{64}$/s;

/** The identity mappings for a unit; its changes are stored with its outcome. */
export function identitiesOf(mappings: MappingLookup, recordMappings: RecordMappings, unit: UnitContext): IdentityMap {
  const { connectorId, binding } = unit;
  return {
    ready: () => ({ ok: true, value: null }),
    save: (mapping) => {
      // No write to the CRM: an older event may still write its properties.
      mappings.save(unit, typed(mapping), false);
      return { ok: true, value: null };
    },
    externalIdOf: async (asked) => {
      const { entity, objectType, crmId } = typed(asked);
      const stored = await recordMappings({ portalId: binding.portalId, objectType, crmId });
      const { mappings: saved, mappingsRemoved: removed } = unit.effects;
      const isAsked = (mapping: Mapping): boolean =>
        mapping.connectorId === connectorId && mapping.bindingEpoch === binding.epoch && mapping.entity === entity
        && mapping.crmId === crmId && !removed.some(({ externalId }) => externalId === mapping.externalId);
      const found = [...stored, ...saved].filter(isAsked).sort(lastWrittenFirst)[0];
      if (found && digested.test(found.externalId)) return unknowable(crmId);
      return { ok: true, value: found?.externalId ?? null };
    },
    remove: (mapping) => {
      mappings.remove(unit, typed(mapping), true);
      return { ok: true, value: null };
    },
  };
}

const typed = <T extends { objectType: string }>(record: T): T =>
  ({ ...record, objectType: objectTypeName(record.objectType) });

/**
 * Of several external ids of one record the one that wrote it last, else the first in sort order, so that a repeat finds the
 * same.
 */
function lastWrittenFirst(one: Mapping, other: Mapping): number {
  if (one.position && other.position) return isLaterPosition(one.position, other.position) ? -1 : 1;
  if (one.position || other.position) return one.position ? -1 : 1;
  return one.externalId < other.externalId ? -1 : 1;
}

const unknowable = (crmId: string): CallFailure => ({
  ok: false, kind: 'permanent', code: 'identity_failed',
  message: `the external id of CRM record ${crmId} is too long to be kept whole`,
});

/** Without a portal there are no mappings. */
export function unboundIdentities(failure: CallFailure): IdentityMap {
  return { ready: () => failure, save: () => failure, remove: () => failure, externalIdOf: () => Promise.resolve(failure) };
}
