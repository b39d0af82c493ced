import { objectTypeId } from '@sluice/contracts';
import { idText, WorkBudget } from '@sluice/flow-engine';
import { compileReadEvent } from '../shared/read-event';
import type { SourceEvent } from '../source-event';
import type { CrmConfig } from './crm.source';

/** A change of a record of the CRM. */
export interface JournalChange {
  /** For example `0-1`. */
  typeId: string;
  objectId: string;
  action: 'create' | 'update' | 'delete';
  /** Values after the change, by property. */
  values: Readonly<Record<string, string | null>>;
  /** ISO 8601; null: unknown. */
  occurredAt: string | null;
  /** The entry of the journal. */
  entry: Readonly<Record<string, unknown>>;
  /** Names the change, the same whenever the journal is read. */
  id: string;
}

/** What of an object type a source wants to be told. An empty list of properties: every change. */
export interface WatchedType {
  objectType: string;
  properties: readonly string[];
}

/** How changes become events of one source: its config and the flows that take its events, compiled once. */
export interface JournalSource {
  watched: readonly WatchedType[];
  /** @param idOf the id of a type that is named otherwise. @returns whether the change is an event of this source */
  takes(change: JournalChange, idOf: (objectType: string) => string): boolean;
  /** Properties that are read along with a change of the type. Empty: nothing is read. */
  enriched(typeId: string, idOf: (objectType: string) => string): readonly string[];
  /** @param properties what was read of the record; null: it is gone, or nothing is read */
  event(change: JournalChange, properties: Readonly<Record<string, unknown>> | null): SourceEvent | null;
}

const actions = ['create', 'update', 'delete'] as const;

/**
 * Compiles a source of the journal.
 * @param flowTypes event types of the flows that take its events: without triggers, these are what counts
 */
export function compileJournalSource(config: CrmConfig, flowTypes: readonly string[]): JournalSource {
  const triggers = config.triggers?.length ? config.triggers : flowTypes.flatMap(triggerOf);
  const enrich = Object.entries(config.enrich_properties ?? {}) as [string, string[]][];
  const readEvent = compileReadEvent(config, 'change');
  return {
    watched: watchedOf(triggers),
    takes: ({ action, typeId, values }, idOf) => triggers.some((trigger) =>
      idOf(trigger.object_type) === typeId && (trigger.actions ?? actions).includes(action)
      && (action !== 'update' || !trigger.properties?.length || trigger.properties.some((name) => Object.hasOwn(values, name)))),
    enriched: (typeId, idOf) => enrich.flatMap(([type, names]) => (idOf(type) === typeId ? names : [])),
    event: (change, read) => {
      const { action, entry, id: dedupe, objectId, occurredAt, typeId, values } = change;
      const properties = action === 'delete' ? {} : { ...values, ...read };
      const payload = { event: entry, object: { id: objectId, type: typeId, properties }, changed: Object.keys(values) };
      const { event } = readEvent([payload], new WorkBudget(), `${typeId}.${action}`.toLowerCase());
      if (event === null) return null;
      const { externalId = null, recordKey, timestamp } = event;
      return {
        ...event, externalId: externalId ?? objectId, recordKey: recordKey ?? idText(`${typeId}:${objectId}`),
        timestamp: timestamp ?? occurredAt, payload, dedupe,
      };
    },
  };
}

type Trigger = NonNullable<CrmConfig['triggers']>[number];

function triggerOf(flowType: string): Trigger[] {
  const [, id, action] = /^(\d+-\d+)\.(create|update|delete|\*)$/.exec(flowType) ?? [];
  if (id === undefined) return [];
  return [{ object_type: id, ...(action !== '*' && { actions: [action as (typeof actions)[number]] }) }];
}

/** Of a type that one trigger watches whole, every change is told. */
function watchedOf(triggers: readonly Trigger[]): WatchedType[] {
  const byType = new Map<string, readonly string[]>();
  for (const { object_type: named, properties = [] } of triggers) {
    const type = objectTypeId(named);
    const known = byType.get(type);
    const whole = properties.length === 0 || known?.length === 0;
    byType.set(type, whole ? [] : [...new Set([...(known ?? []), ...properties])]);
  }
  return [...byType].map(([objectType, properties]) => ({ objectType, properties }));
}
