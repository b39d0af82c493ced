import { isLaterPosition, laterPosition } from '@sluice/ports';
import type { Mapping, MappingKey, RunStore } from '@sluice/ports';
import type { Activity } from './activity';
import { createBoundedCache } from './bounded-cache';
import { createCoalescer } from './coalescer';
import type { UnitContext } from './unit-context';

/** The identity map as the writer sees it: what this process wrote a moment ago included. */
export interface MappingLookup {
  find(unit: UnitContext, entity: string, externalId: string): Promise<Mapping | null>;
  /** Notes a mapping for the unit's settlement and for everybody who asks from now on. `wrote`: the unit's position counts. */
  save(
    unit: UnitContext,
    mapping: { entity: string; externalId: string; objectType: string; crmId: string },
    wrote: boolean,
  ): void;
  /** Whether this process knows of a landed write newer than the unit, right now and without asking anybody. */
  outdated(unit: UnitContext, entity: string, externalId: string): boolean;
  forget(unit: UnitContext, entity: string, externalId: string): void;
}

const keyText = (key: MappingKey): string => JSON.stringify([key.connectorId, key.entity, key.externalId]);

/** What is remembered counts until a mapping of the connector is removed by hand. */
const cacheKey = ({ connectorId, binding }: UnitContext, entity: string, externalId: string): string =>
  JSON.stringify([connectorId, binding.mappingsRemoved ?? 0, entity, externalId]);

/**
 * @param remembered mappings kept in memory, those not used for longest go first. More than writes between landing and being
 * settled: what is forgotten earlier than that is not known to the store yet.
 */
export function createMappingLookup(
  store: Pick<RunStore, 'mappings'>, { activity, remembered }: { activity: Activity; remembered: number },
): MappingLookup {
  const cache = createBoundedCache<Mapping>(remembered);
  const reads = createCoalescer<MappingKey, Mapping | null>({
    maxBatch: 1_000, maxConcurrent: 2, activity,
    run: async (keys) => {
      const found = new Map((await store.mappings(keys)).map((mapping) => [keyText(mapping), mapping]));
      return keys.map((key) => found.get(keyText(key)) ?? null);
    },
  });
  // A mapping of an older binding names a record of another portal.
  const usable = (mapping: Mapping | null | undefined, unit: UnitContext): Mapping | null =>
    mapping && mapping.bindingEpoch === unit.binding.epoch && mapping.portalId === unit.binding.portalId ? mapping : null;

  return {
    find: async (unit, entity, externalId) => {
      const key = { connectorId: unit.connectorId, entity, externalId };
      const text = cacheKey(unit, entity, externalId);
      const hit = usable(cache.get(text), unit);
      if (hit && !unit.guarded) return hit;
      const read = usable(await reads.ask(key), unit);
      if (!read) return usable(cache.get(text), unit);
      // What this process wrote meanwhile and has not settled yet is newer than what the store knew.
      const own = usable(cache.get(text), unit);
      const newest = own?.position && (!read.position || isLaterPosition(own.position, read.position)) ? own : read;
      cache.set(text, newest);
      return newest;
    },
    save: (unit, { entity, externalId, objectType, crmId }, wrote) => {
      const key = { connectorId: unit.connectorId, entity, externalId };
      const text = cacheKey(unit, entity, externalId);
      const before = usable(cache.get(text), unit);
      const position = laterPosition(before?.position ?? null, wrote ? unit.position : null);
      const mapping: Mapping = {
        ...key,
        portalId: unit.binding.portalId,
        objectType,
        crmId,
        bindingEpoch: unit.binding.epoch,
        position,
      };
      cache.set(text, mapping);
      unit.effects.mappings.push(mapping);
    },
    outdated: (unit, entity, externalId) => {
      const position = usable(cache.get(cacheKey(unit, entity, externalId)), unit)?.position;
      return position ? isLaterPosition(position, unit.position) : false;
    },
    forget: (unit, entity, externalId) => { cache.delete(cacheKey(unit, entity, externalId)); },
  };
}
