import { liveProperty } from '../stores/definition-store';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { CrmRecord } from '../stores/record-store';
import { valueHistory } from '../stores/value-history';

/** A record in the wire format. */
export type WireRecord = Record<string, unknown>;

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** A property's value including the system ones that are not stored; undefined when empty. */
export function propertyOf(
  type: ObjectType,
  record: CrmRecord,
  name: string,
  stored: Readonly<Record<string, string>> = record.properties,
): string | undefined {
  if (name === 'hs_object_id') return record.id;
  if (name === type.modifiedProperty) return isoTime(record.updatedAt);
  if (name === type.createdProperty) return stored[name] ?? isoTime(record.createdAt);
  if (name === 'amount' && type.id === '0-8') return stored[name] ?? lineAmount(stored);
  return stored[name];
}

/** A line item's amount is calculated: quantity times price, less the discount per unit and in percent. */
function lineAmount(stored: Readonly<Record<string, string>>): string | undefined {
  const { quantity, price, discount = '0', hs_discount_percentage: percent = '0' } = stored;
  if (quantity === undefined || price === undefined) return undefined;
  return String(Math.round(Number(quantity) * (Number(price) - Number(discount)) * (100 - Number(percent))) / 100);
}

/** The properties of a read; no names means the type's default properties. */
export interface View {
  readonly properties: readonly string[];
  readonly history?: readonly string[];
}

/**
 * The record with the requested properties: a defined but empty one is null, undefined names are left out, system properties are
 * always included.
 */
export function presentRecord(
  portal: PortalState,
  type: ObjectType,
  record: CrmRecord,
  view: View,
  stored?: Readonly<Record<string, string>>,
): WireRecord {
  const { definitions } = portal.space(type);
  const history = view.history ?? [];
  const names = view.properties.length > 0 || history.length > 0 ? [...view.properties, ...history] : type.defaultProperties;
  const properties: Record<string, string | null> = {};
  for (const name of names)
    if (liveProperty(definitions, name)) properties[name] = propertyOf(type, record, name, stored) ?? null;
  const shown = withSystem(type, record, properties, stored);
  if (history.length === 0) return shown;
  return {
    ...shown,
    propertiesWithHistory: Object.fromEntries(
      history.filter((name) => liveProperty(definitions, name)).map((name) => [name, valueHistory(record, name)]),
    ),
  };
}

/** The answer to a create or update: what was written, plus the system properties. */
export function presentWritten(type: ObjectType, record: CrmRecord, written: Readonly<Record<string, string>>): WireRecord {
  const properties: Record<string, string | null> = {};
  for (const name in written) properties[name] = record.properties[name] ?? '';
  return withSystem(type, record, properties);
}

function withSystem(
  type: ObjectType,
  record: CrmRecord,
  properties: Record<string, string | null>,
  stored?: Readonly<Record<string, string>>,
): WireRecord {
  properties['hs_object_id'] = record.id;
  properties[type.createdProperty] = propertyOf(type, record, type.createdProperty, stored) ?? null;
  properties[type.modifiedProperty] = isoTime(record.updatedAt);
  const base = {
    id: record.id,
    properties,
    createdAt: properties[type.createdProperty],
    updatedAt: isoTime(record.updatedAt),
    archived: record.archived,
  };
  return record.archivedAt === undefined ? base : { ...base, archivedAt: isoTime(record.archivedAt) };
}
