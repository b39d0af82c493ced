import { isLaterPosition, laterPosition, noPartition } from '@sluice/ports';
import type { AcceptPosition, Mapping, MappingKey, RunStore } from '@sluice/ports';
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
  /** Notes that the record of a mapping was deleted by the unit: for its settlement, and for everybody who asks from now on. */
  remove(unit: UnitContext, mapping: { entity: string; externalId: string; objectType: string; crmId: string }): void;
  /**
   * Whether a mapping that led to a record that is gone was out of date, and is now forgotten: another process may have deleted
   * the record and removed the mapping, which this process remembered.
   */
  wasOutdated(unit: UnitContext, entity: string, externalId: string): Promise<boolean>;
}

const keyText = (key: MappingKey): string => JSON.stringify([key.connectorId, key.entity, key.externalId]);

/** Of a mapping that was only found: every removal is later. */
const beforeAll: AcceptPosition = { partition: noPartition, offset: 0n, acceptedAt: new Date(0).toISOString() };

/** What is remembered counts until a mapping of the connector is removed by hand. */
const cacheKey = ({ connectorId, binding }: UnitContext, entity: string, externalId: string): string =>
  JSON.stringify([connectorId, binding.mappingsRemoved ?? 0, entity, externalId]);

/**
 * @param remembered mappings kept in memory, those not used for longest go first. More than writes between landing and being
 * settled: what is forgotten earlier than that is not known to the store yet.
 */
export function createMappingLookup(
  store: Pick<RunStore, 'mappings' | 'haveNewerRemovals'>,
  { activity, remembered }: { activity: Activity; remembered: number },
): MappingLookup {
  const cache = createBoundedCache<Mapping>(remembered);
  /** Records that this process deleted, by their mappings: until that is settled the store still has them. */
  const deleted = createBoundedCache<{ crmId: string }>(remembered);
  const reads = createCoalescer<MappingKey, Mapping | null>({
    maxBatch: 1_000,
    maxConcurrent: 2,
    activity,
    run: async (keys) => {
      const found = new Map((await store.mappings(keys)).map((mapping) => [keyText(mapping), mapping]));
      return keys.map((key) => found.get(keyText(key)) ?? null);
    },
  });
  const stored = async (key: MappingKey, text: string): Promise<Mapping | null> => {
    const read = await reads.ask(key);
    return read && deleted.get(text)?.crmId === read.crmId ? null : read;
  };
  // A mapping of an older binding names a record of another portal.
  const usable = (mapping: Mapping | null | undefined, unit: UnitContext): Mapping | null =>
    mapping && mapping.bindingEpoch === unit.binding.epoch && mapping.portalId === unit.binding.portalId ? mapping : null;

  return {
    find: async (unit, entity, externalId) => {
      const key = { connectorId: unit.connectorId, entity, externalId };
      const text = cacheKey(unit, entity, externalId);
      const hit = usable(cache.get(text), unit);
      if (hit && !unit.guarded) return hit;
      const read = usable(await stored(key, text), unit);
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
    forget: (unit, entity, externalId) => {
      cache.delete(cacheKey(unit, entity, externalId));
    },
    remove: (unit, { entity, externalId, objectType, crmId }) => {
      const key = { connectorId: unit.connectorId, entity, externalId };
      const text = cacheKey(unit, entity, externalId);
      cache.delete(text);
      deleted.set(text, { crmId });
      const { effects, binding, position } = unit;
      effects.mappings = effects.mappings.filter((mapping) => keyText(mapping) !== keyText(key));
      effects.mappingsRemoved.push({
        ...key,
        portalId: binding.portalId,
        objectType,
        crmId,
        bindingEpoch: binding.epoch,
        position,
      });
    },
    wasOutdated: async (unit, entity, externalId) => {
      const key = { connectorId: unit.connectorId, entity, externalId };
      const text = cacheKey(unit, entity, externalId);
      const remembered = cache.get(text);
      if (!remembered) return false;
      const [removed] = await activity.waiting(store.haveNewerRemovals([{ ...key, position: remembered.position ?? beforeAll }]));
      if (removed) cache.delete(text);
      return removed === true;
    },
  };
}
