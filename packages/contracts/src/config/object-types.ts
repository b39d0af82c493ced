import type { ConfigDocument, Step } from './config-document';

/** The CRM's standard object types by id (docs/reference/crm-api.md). */
const standardIds: Readonly<Record<string, string>> = {
  '0-1': 'contacts', '0-2': 'companies', '0-3': 'deals', '0-5': 'tickets', '0-7': 'products', '0-8': 'line_items',
};
const singularForms: Readonly<Record<string, string>> = {
  contact: 'contacts', company: 'companies', deal: 'deals', ticket: 'tickets', product: 'products', line_item: 'line_items',
};
const standardNames: ReadonlySet<string> = new Set(Object.values(standardIds));

/** The plural name of a standard object type that is named in any way (plural, singular or id); null for any other type. */
export function standardObjectType(type: string): string | null {
  const given = type.toLowerCase();
  const names = { ...standardIds, ...singularForms };
  const name = Object.hasOwn(names, given) ? names[given]! : given;
  return standardNames.has(name) ? name : null;
}

/** The id of an object type: of a standard one by any of its names; a type that only the portal knows stays as it is named. */
export function objectTypeId(type: string): string {
  const name = standardObjectType(type);
  return Object.entries(standardIds).find(([, standard]) => standard === name)?.[0] ?? type;
}

export const isCustomObjectType = (type: string): boolean => standardObjectType(type) === null;

/** Every object type that a config names, each once: in entities, steps, pipelines and sources of the CRM's journal. */
export function namedObjectTypes({ entities = [], flows = [], sources = [], pipelines = [] }: Partial<ConfigDocument>): string[] {
  const journals = new Set(sources.flatMap(({ name, type }) => (type === 'crm' ? [name] : [])));
  const found: unknown[] = [
    ...entities.flatMap(({ schemas }) => Object.values(schemas).map(({ object_type: type }) => type)),
    ...flows.flatMap(({ steps = [] }) => steps.flatMap(typesOfStep)),
    ...pipelines.map(({ object_type: type }) => type),
    ...sources.flatMap(({ type, config }) => (type === 'crm' ? typesOfJournal(config ?? {}) : [])),
    ...flows.flatMap(({ source, event_type: type }) => (journals.has(source) ? [idInEventType(type)] : [])),
  ];
  return [...new Set(found)].filter((type): type is string => typeof type === 'string');
}

/** Form fields name the type of the record that they belong to. */
function typesOfStep({ object_type: own, fields }: Step): unknown[] {
  return [own, ...(Array.isArray(fields) ? fields.map((field: { object_type?: unknown } | null) => field?.object_type) : [])];
}

function typesOfJournal({ triggers, enrich_properties: enriched }: Readonly<Record<string, unknown>>): unknown[] {
  const watched = Array.isArray(triggers)
    ? triggers.map((trigger: { object_type?: unknown } | null) => trigger?.object_type)
    : [];
  return [...watched, ...(enriched !== null && typeof enriched === 'object' ? Object.keys(enriched) : [])];
}

/** Events of the journal are named `<object type id>.<action>`. */
const idInEventType = (eventType: string): string | undefined =>
  /^(\d+-\d+)\.(?:create|update|delete|\*)$/.exec(eventType)?.[1];

/** The custom object types of a config (docs/reference/accounts-and-plans.md, Plans). */
export const customObjectTypes = (config: Partial<ConfigDocument>): string[] =>
  namedObjectTypes(config).filter(isCustomObjectType);

/**
 * How many custom object types there are at least. One type may be named by its name and by its id (`2-17`), and only the portal
 * knows which belong together.
 */
export function countCustomTypes(types: readonly string[]): number {
  const custom = types.filter(isCustomObjectType);
  const ids = custom.filter((type) => /^\d+-\d+$/.test(type)).length;
  return Math.max(ids, custom.length - ids);
}
