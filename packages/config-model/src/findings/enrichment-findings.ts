import { type ConfigDocument, type Entity, type Flow, type Source, standardObjectType, type Step } from '@sluice/contracts';
import { finding, type Finding } from './finding';

const propertyOfObject = /\$\.payload\.object\.properties\.([A-Za-z0-9_]+)/g;

/** Flows of the journal that read a property which the journal's `enrich_properties` does not name: it would always be null. */
export function enrichmentFindings(config: ConfigDocument): Finding[] {
  const sources = new Map(config.sources.map((source) => [source.name, source]));
  const entities = new Map(config.entities.map((entity) => [entity.name, entity]));
  return config.flows.flatMap((flow, index) => {
    const source = sources.get(flow.source);
    return source?.type === 'crm' ? gaps(flow, index, source, entities) : [];
  });
}

function gaps(flow: Flow, index: number, source: Source, entities: ReadonlyMap<string, Entity>): Finding[] {
  const [typeId = ''] = flow.event_type.split('.');
  const named = enriched(source, typeId);
  const read = new Set(flow.steps.flatMap((step) => propertiesRead(step, entities)));
  return [...read]
    .filter((property) => !named.has(property))
    .map((property) =>
      finding({
        severity: 'warning',
        code: 'enrich_properties_gap',
        message:
          `flow '${flow.name}' reads the property '${property}', which enrich_properties of source '${source.name}' ` +
          'does not name',
        field: `flows.${index}`,
        suggestion: `Add '${property}' to enrich_properties of '${nameOf(typeId)}'.`,
        event_flow: flow.name,
      }),
    );
}

/** Properties that the source reads for an object type, which it may name by id or by name. */
function enriched({ config }: Source, typeId: string): ReadonlySet<unknown> {
  const byType = config?.enrich_properties;
  if (byType === null || typeof byType !== 'object') return new Set();
  const lists = Object.entries(byType as Record<string, unknown>).filter(([type]) => nameOf(type) === nameOf(typeId));
  return new Set(lists.flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]) : [])));
}

/** The journal names types by id, a config by id or name. */
const nameOf = (type: string): string => standardObjectType(type) ?? type.toLowerCase();

function propertiesRead(step: Step, entities: ReadonlyMap<string, Entity>): string[] {
  const entity = typeof step.entity === 'string' ? entities.get(step.entity) : undefined;
  const texts = [...textsIn(step), ...(entity ? rootedSources(entity) : [])];
  return texts.flatMap((text) => [...text.matchAll(propertyOfObject)].map((match) => match[1]!));
}

/** The sources of an entity's mappings as paths of the event. */
function rootedSources({ schemas, payload_root: root }: Entity): string[] {
  const sources = Object.values(schemas).flatMap(({ field_mappings: mappings }) => (mappings ?? []).flatMap(textsIn));
  return root === undefined ? sources : sources.map((source) => source.replace(/\$\.payload\b/g, () => root));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
