import { isLaterPosition, laterPosition, type MonotonicClock, noPartition } from '@sluice/ports';
import type { AcceptPosition, Mapping, MappingKey, RunStore } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createBoundedCache } from '../shared/bounded-cache';
import { type Coalescer, createCoalescer } from '../batching/coalescer';
import type { UnitContext } from '../shared/unit-context';

/** The identity map, including mappings that this process wrote and has not settled yet. */
export interface MappingLookup {
  /** Synchronous if the cached mapping suffices. */
  find(unit: UnitContext, entity: string, externalId: string): Mapping | null | Promise<Mapping | null>;
  /** Notes a mapping for the unit's settlement and for all later look-ups. `wrote`: the unit's position counts. */
  save(
    unit: UnitContext,
    mapping: { entity: string; externalId: string; objectType: string; crmId: string },
    wrote: boolean,
  ): void;
  /** Whether this process knows of a newer write than the unit's, without reading the store. */
  outdated(unit: UnitContext, entity: string, externalId: string): boolean;
  forget(unit: UnitContext, entity: string, externalId: string): void;
  /** How many mappings this process has removed because of events. */
  removalsSoFar(): number;
  /**
   * Notes that the unit deleted the record of a mapping: for its settlement, and for all later look-ups. `crmId` null: there was
   * no record, which is noted for the settlement only.
   * @param recordStays the mapping alone is removed, and may be saved again: its record stays in the CRM
   */
  remove(
    unit: UnitContext, mapping: { entity: string; externalId: string; objectType: string; crmId: string | null },
    recordStays?: boolean,
  ): void;
  /**
   * Whether a cached mapping to a deleted record was out of date, and is now dropped: another process may have deleted the record
   * and removed the mapping.
   */
  wasOutdated(unit: UnitContext, entity: string, externalId: string): Promise<boolean>;
}

const keyText = ({ connectorId, entity, externalId }: MappingKey): string =>
  `${connectorId} ${entity.length} ${entity}${externalId}`;

/** The position of a mapping that was only found: every removal is later. */
const beforeAll: AcceptPosition = { partition: noPartition, offset: 0n, acceptedAt: new Date(0).toISOString() };

/**
 * Cached mappings count until a mapping of the connector is removed by hand. The name of an entity may contain any character: its
 * length says where it ends.
 */
const cacheKey = ({ connectorId, binding }: UnitContext, entity: string, externalId: string): string =>
  `${connectorId} ${binding.mappingsRemoved ?? 0} ${entity.length} ${entity}${externalId}`;

type MappedRecord = Pick<Mapping, 'portalId' | 'crmId'>;

/** A mapping that this process removed, as its `nth`. */
interface RemovedMapping extends MappedRecord {
  recordStays: boolean;
  nth: number;
}

/** A mapping in memory. `at`: when it was read or saved. */
interface Remembered {
  mapping: Mapping;
  at: number;
}

/**
 * Whether the unit may use it without a read. A guarded unit always reads the store; another owner may have changed an old
 * mapping.
 */
const maySuffice = ({ guarded, ownedSince }: UnitContext, { at }: Remembered): boolean =>
  !guarded && (ownedSince === undefined || at > ownedSince);

/** A mapping of an older binding names a record of another portal. */
const isUsable = (mapping: Mapping, { binding }: UnitContext): boolean =>
  mapping.bindingEpoch === binding.epoch && mapping.portalId === binding.portalId;

type Removals = ReturnType<typeof createBoundedCache<RemovedMapping>>;

/** The removal of a mapping to a record; null: there is none. In another portal another record may have the id. */
function removalOf(removals: Removals, text: string, { portalId, crmId }: MappedRecord): RemovedMapping | null {
  const known = removals.get(text);
  return known?.crmId === crmId && known.portalId === portalId ? known : null;
}

/**
 * Whether a mapping may be saved to the record of a removal. One that was deleted is there again when an attempt that began later
 * has written it: people have restored it. What was under way meanwhile proves nothing, nor does a search, whose index is late.
 */
const isThere = ({ recordStays, nth }: RemovedMapping, { removalsSeen = 0 }: UnitContext, wrote: boolean): boolean =>
  recordStays || (wrote && removalsSeen >= nth);

/** Mappings that many units ask for at one moment are read together. */
const createMappingReads = (store: Pick<RunStore, 'mappings'>, activity: Activity): Coalescer<MappingKey, Mapping | null> =>
  createCoalescer<MappingKey, Mapping | null>({
    maxBatch: 1_000,
    maxConcurrent: 2,
    activity,
    run: async (keys) => {
      const found = new Map((await store.mappings(keys)).map((mapping) => [keyText(mapping), mapping]));
      return keys.map((key) => found.get(keyText(key)) ?? null);
    },
  });

/**
 * @param remembered mappings kept in memory; the least recently used are dropped first. Must be more than the writes that are not
 * settled yet: the store does not have those.
 */
export function createMappingLookup(
  store: Pick<RunStore, 'mappings' | 'haveNewerRemovals'>,
  { activity, remembered, monotonicNow }: { activity: Activity; remembered: number; monotonicNow: MonotonicClock },
): MappingLookup {
  const cache = createBoundedCache<Remembered>(remembered);
  /** Mappings that this process removed: until that is settled the store still has them. */
  const removals = createBoundedCache<RemovedMapping>(remembered);
  let removed = 0;
  const reads = createMappingReads(store, activity);
  const known = (unit: UnitContext, text: string): Remembered | null => {
    const found = cache.get(text);
    return found && isUsable(found.mapping, unit) ? found : null;
  };
  const wasRemoved = async (key: MappingKey, mapping: Mapping): Promise<boolean> => {
    const [removed] = await activity.waiting(store.haveNewerRemovals([{ position: mapping.position ?? beforeAll, ...key }]));
    return removed === true;
  };
  /**
   * Which mapping counts when the store has another one, or none: one that this process wrote and has not settled yet is newer
   * than the store's, one that another process removed is not.
   */
  const unsettled = async (key: MappingKey, own: Mapping, read: Mapping | null): Promise<Mapping | null> => {
    const isNewer = !read || (own.position && (!read.position || isLaterPosition(own.position, read.position)));
    if (!isNewer || (read?.crmId !== own.crmId && (await wasRemoved(key, own)))) return null;
    return own;
  };

  const ask = async (unit: UnitContext, key: MappingKey, text: string): Promise<Mapping | null> => {
    const at = monotonicNow();
    const stored = await reads.ask(key);
    const isDeleted = stored !== null && removalOf(removals, text, stored) !== null;
    const read = stored && !isDeleted && isUsable(stored, unit) ? stored : null;
    const own = known(unit, text)?.mapping;
    const newest = own ? ((await unsettled(key, own, read)) ?? read) : read;
    const latest = own && known(unit, text)?.mapping;
    // Saved or removed by another unit during the read.
    if (latest !== own) return latest ?? null;
    if (newest) cache.set(text, { mapping: newest, at });
    else cache.delete(text);
    return newest;
  };

  return {
    find: (unit, entity, externalId) => {
      const text = cacheKey(unit, entity, externalId);
      const hit = known(unit, text);
      if (hit && maySuffice(unit, hit)) return hit.mapping;
      return ask(unit, { connectorId: unit.connectorId, entity, externalId }, text);
    },
    save: (unit, { entity, externalId, objectType, crmId }, wrote) => {
      const text = cacheKey(unit, entity, externalId);
      // The write was under way when an event of another lane deleted the record: no mapping may lead there any more.
      const removal = removalOf(removals, text, { portalId: unit.binding.portalId, crmId });
      if (removal && !isThere(removal, unit, wrote)) return;
      if (removal) removals.delete(text);
      const before = known(unit, text)?.mapping;
      const position = laterPosition(before?.position ?? null, wrote ? unit.position : null);
      const mapping: Mapping = {
        connectorId: unit.connectorId,
        entity,
        externalId,
        portalId: unit.binding.portalId,
        objectType,
        crmId,
        bindingEpoch: unit.binding.epoch,
        position,
      };
      cache.set(text, { mapping, at: monotonicNow() });
      unit.effects.mappings.push(mapping);
    },
    outdated: (unit, entity, externalId) => {
      const position = known(unit, cacheKey(unit, entity, externalId))?.mapping.position;
      return position ? isLaterPosition(position, unit.position) : false;
    },
    forget: (unit, entity, externalId) => {
      cache.delete(cacheKey(unit, entity, externalId));
    },
    removalsSoFar: () => removed,
    remove: (unit, { entity, externalId, objectType, crmId }, recordStays = false) => {
      const { connectorId, effects, binding, position } = unit;
      if (crmId !== null) {
        const text = cacheKey(unit, entity, externalId);
        cache.delete(text);
        removals.set(text, { portalId: binding.portalId, crmId, recordStays, nth: (removed += 1) });
        const key = keyText({ connectorId, entity, externalId });
        effects.mappings = effects.mappings.filter((mapping) => keyText(mapping) !== key);
      }
      effects.mappingsRemoved.push({
        connectorId,
        entity,
        externalId,
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
      const mapping = cache.get(text)?.mapping;
      if (!mapping || !(await wasRemoved(key, mapping))) return false;
      if (cache.get(text)?.mapping === mapping) cache.delete(text);
      return true;
    },
  };
}
