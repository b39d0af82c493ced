import type { CrmOption, Entity, SchemaSpec, Transform } from '@sluice/contracts';
import { reservedPropertyPrefix } from '../derived/required-provisioning';
import { type Confidence, matchProperty, type PropertyMatch, rankOf } from './match-property';
import { type PayloadField, payloadFields } from './payload-fields';
import { type KnownProperty, usualProperties } from './usual-properties';

/** A field mapping that an entity could have, and why. */
export interface MappingSuggestion {
  source: string;
  target: string;
  transform: Transform[];
  crm_type: string;
  crm_field_type: string;
  crm_label: string;
  /** Present for an enumeration. */
  crm_options?: CrmOption[];
  /** Whether the portal has the property; null when that is not known. */
  exists: boolean | null;
  confidence: Confidence;
  reason: string;
  /** Payloads that have the field. */
  seen_in: number;
}

export interface SuggestionFacts {
  /** Recent payloads of the entity's events. */
  payloads: readonly unknown[];
  /** null: the portal's properties are not known. */
  properties: readonly KnownProperty[] | null;
}

/** Suggestions at most. */
const longest = 100;

/** Mappings for properties that the `crm` schema of an entity does not map yet, the surest first. */
export function suggestMappings(entity: Entity, { payloads, properties }: SuggestionFacts): MappingSuggestion[] {
  const schema = entity.schemas.crm;
  if (schema?.object_type === undefined) return [];
  const candidates = (properties ?? usualProperties(schema.object_type)).filter(({ read_only }) => read_only !== true);
  const existing = new Set((properties ?? candidates).map(({ name }) => name));
  const taken = takenOf(schema);
  const fields = payloadFields(payloads, entity.payload_root).filter(({ source }) => !taken.sources.has(source));
  const open = candidates.filter(({ name }) => !taken.targets.has(name));
  const known = properties !== null;
  const matched = bestMatches(fields, open).map(([field, match]) => suggestionOf(field, match, known));
  const matchedSources = new Set(matched.map(({ source }) => source));
  const fresh = fields
    .filter(({ source }) => !matchedSources.has(source))
    .map((field) => newProperty(field, known))
    .filter(({ target }) => !taken.targets.has(target) && !existing.has(target) && !target.startsWith(reservedPropertyPrefix));
  const unseen = payloads.length > 0 ? [] : usual(schema.object_type, open, known);
  const all = [...identity(schema, taken.targets, candidates, known), ...matched, ...fresh, ...unseen];
  return withoutRepeats(all)
    .sort((a, b) => rankOf[b.confidence] - rankOf[a.confidence])
    .slice(0, longest);
}

function takenOf(schema: SchemaSpec): { sources: Set<string>; targets: Set<string> } {
  const mappings = schema.field_mappings ?? [];
  const targets = mappings.flatMap(({ target, provision_names: names }) => target ?? names ?? []);
  return { sources: new Set(mappings.map(({ source }) => source)), targets: new Set(targets) };
}

/** Each field and each property at most once, by the best reason. */
function bestMatches(fields: readonly PayloadField[], open: readonly KnownProperty[]): [PayloadField, PropertyMatch][] {
  const all = fields.flatMap((field) =>
    open.flatMap((property): [PayloadField, PropertyMatch][] => {
      const match = matchProperty(field, property);
      return match ? [[field, match]] : [];
    }));
  const sorted = all.sort(([a, one], [b, other]) =>
    rankOf[other.confidence] - rankOf[one.confidence] || a.keys.length - b.keys.length);
  const [sources, targets] = [new Set<string>(), new Set<string>()];
  return sorted.filter(([field, { property }]) => {
    if (sources.has(field.source) || targets.has(property.name)) return false;
    sources.add(field.source);
    targets.add(property.name);
    return true;
  });
}

const withoutRepeats = (list: readonly MappingSuggestion[]): MappingSuggestion[] => {
  const targets = new Set<string>();
  return list.filter(({ target }) => !targets.has(target) && targets.add(target));
};

function suggestionOf(field: PayloadField, { property, confidence, reason }: PropertyMatch, known: boolean): MappingSuggestion {
  return { ...ofProperty(property), source: field.source, transform: transformFor(property, field.values),
    exists: known ? true : null, confidence, reason, seen_in: field.seen };
}

function ofProperty({ name, label, type, field_type, options }: KnownProperty) {
  const enumeration = type === 'enumeration' && options !== undefined && options.length > 0;
  return {
    target: name, crm_type: type, crm_field_type: field_type, crm_label: label,
    ...(enumeration && { crm_options: options.slice(0, longest) }),
  };
}

/** The identity property is what the record is found by: it needs a value. */
function identity(
  { identity: spec }: SchemaSpec, taken: ReadonlySet<string>, candidates: readonly KnownProperty[], known: boolean,
): MappingSuggestion[] {
  if (!spec || taken.has(spec.property) || ['email', 'domain'].includes(spec.property)) return [];
  const property = candidates.find(({ name }) => name === spec.property);
  const plain = { name: spec.property, label: spec.property, type: 'string', field_type: 'text' };
  return [{
    ...ofProperty(property ?? plain), source: '$.external_id', transform: [], exists: known ? property !== undefined : null,
    confidence: 'high', reason: 'Records are found by the identity property, and no mapping writes it.', seen_in: 0,
  }];
}

/** A field that no property fits gets one of its own name. */
function newProperty(field: PayloadField, known: boolean): MappingSuggestion {
  const words = field.keys.join('_').replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase().replace(/[^a-z\d_]+/g, '_');
  const target = words.replace(/^[^a-z]+/, '').slice(0, 100) || 'value';
  const [type, fieldType] = typeOf(field.values);
  const reason = known
    ? 'No property of the portal has such a name: a publish would create this one.'
    : 'No usual property has such a name; which ones the portal has is not known.';
  const property = { name: target, label: field.keys.join(' '), type, field_type: fieldType };
  return { ...suggestionOf(field, { property, confidence: 'low', reason }, known), exists: known ? false : null };
}

/** Without a payload: what is usually mapped, under the names it usually has. */
function usual(objectType: string, open: readonly KnownProperty[], known: boolean): MappingSuggestion[] {
  const names = new Set(usualProperties(objectType).map(({ name }) => name));
  return open.filter(({ name }) => names.has(name)).map((property) => ({
    ...ofProperty(property), source: `$.payload.${property.name}`, transform: transformFor(property, []),
    exists: known ? true : null, confidence: 'low', seen_in: 0,
    reason: `'${property.name}' is usually written on ${objectType}; no payload was seen yet that could tell the field.`,
  }));
}

function typeOf(values: PayloadField['values']): [type: string, fieldType: string] {
  if (values.every((value) => typeof value === 'number')) return ['number', 'number'];
  if (values.every((value) => typeof value === 'boolean')) return ['bool', 'booleancheckbox'];
  if (values.every((value) => /^\d{4}-\d\d-\d\dT/.test(String(value)))) return ['datetime', 'date'];
  if (values.every((value) => /^\d{4}-\d\d-\d\d$/.test(String(value)))) return ['date', 'date'];
  return ['string', 'text'];
}

function transformFor({ name, type }: KnownProperty, values: PayloadField['values']): Transform[] {
  if (name === 'email') return ['normalize_email'];
  if (name === 'domain') return ['normalize_domain'];
  const texts = values.some((value) => typeof value === 'string');
  if (type === 'number' && texts) return ['to_number'];
  if (type === 'bool' && texts) return ['to_boolean'];
  if (type === 'date') return ['to_date'];
  if (type === 'datetime') return ['to_datetime'];
  return [];
}
