import type { ConfigDocument, Entity, SchemaSpec } from '@sluice/contracts';
import { finding, type Finding } from './finding';

/** Actions that write the projection of an entity to the CRM, where the record is found by the identity value in it. */
const writers: readonly string[] = ['upsert', 'create', 'update', 'upsert_many', 'create_many', 'update_many'];

/** Entities whose identity no mapping fills, and guards of properties that nothing writes. */
export function entityFindings(config: ConfigDocument): Finding[] {
  const steps = config.flows.flatMap(({ steps: own }) => own);
  const used = new Set(steps.map(({ entity }) => entity));
  const written = new Set(steps.flatMap(({ action, entity }) => (writers.includes(action) ? [entity] : [])));
  return config.entities.flatMap((entity, index) => {
    const { crm } = entity.schemas;
    if (crm?.identity === undefined) return [];
    const subject = { entity, crm, place: `entities.${index}.schemas.crm.identity` };
    // An entity that is only associated or looked up needs no mapping: its external ids come from the steps.
    const needsValue = written.has(entity.name) || !used.has(entity.name);
    return [...(needsValue ? unfilledIdentity(subject, written.has(entity.name)) : []), ...unwrittenGuards(subject)];
  });
}

interface Subject {
  entity: Entity;
  crm: SchemaSpec;
  place: string;
}

const mappingsOf = ({ field_mappings: mappings = [] }: SchemaSpec) => mappings;

function unfilledIdentity({ entity, crm, place }: Subject, isWritten: boolean): Finding[] {
  const { property } = crm.identity!;
  if (mappingsOf(crm).some(({ target }) => target === property)) return [];
  return [
    finding({
      severity: isWritten ? 'error' : 'warning', code: 'identity_without_mapping',
      field: `${place}.property`, entity: entity.name,
      message:
        `no mapping of entity '${entity.name}' writes its identity property '${property}'` +
        (isWritten ? ': every write of it fails' : ''),
      suggestion: `Add a mapping with the target '${property}', for example from $.external_id.`,
    }),
  ];
}

function unwrittenGuards({ entity, crm, place }: Subject): Finding[] {
  const mappings = mappingsOf(crm);
  // A template may give any name.
  if (mappings.some(({ target_template: template }) => template !== undefined)) return [];
  const targets = new Set(mappings.map(({ target }) => target));
  return [...(crm.identity!.guard?.properties ?? []).entries()].flatMap(([index, property]) =>
    targets.has(property)
      ? []
      : [
          finding({
            severity: 'error', code: 'guard_property_without_mapping',
            field: `${place}.guard.properties.${index}`, entity: entity.name,
            message: `the identity guard of entity '${entity.name}' names '${property}', which no mapping of it writes: it never counts`,
            suggestion: `Correct the name, or add a mapping with the target '${property}'.`,
          }),
        ],
  );
}
