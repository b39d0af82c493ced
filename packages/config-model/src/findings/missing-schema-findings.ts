import { destinationSchema } from '@sluice/actions';
import type { ConfigDocument, Entity, Step } from '@sluice/contracts';
import { entityUses } from './entity-use';
import { finding, type Finding } from './finding';

/** Steps that need a schema which their entity does not have: every run of them fails. */
export function missingSchemaFindings(config: ConfigDocument): Finding[] {
  const entities = new Map(config.entities.map((entity) => [entity.name, entity]));
  return config.flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, position) =>
      faults(step, entities).map(({ field, entity, ...fault }) =>
        finding({
          severity: 'error', ...fault, message: `step '${step.id}' ${fault.message}`, entity, event_flow: flow.name,
          field: `flows.${flowIndex}.steps.${position}.${field}`,
        }),
      ),
    ),
  );
}

interface Fault {
  code: string;
  message: string;
  suggestion: string;
  field: string;
  entity: string;
}

function faults(step: Step, entities: ReadonlyMap<string, Entity>): Fault[] {
  if (step.action === 'post') return unsentProjection(step, entities);
  const isOfTheCrm = step.action !== 'transform' && (step.action !== 'delete' || step.target === 'crm');
  return isOfTheCrm ? recordsWithoutType(step, entities) : [];
}

function unsentProjection(step: Step, entities: ReadonlyMap<string, Entity>): Fault[] {
  const { entity: name, target, method, body } = step;
  const entity = typeof name === 'string' ? entities.get(name) : undefined;
  if (!entity || typeof target !== 'string' || method === 'GET' || body !== undefined) return [];
  if (destinationSchema(Object.keys(entity.schemas), target) !== null) return [];
  return [
    {
      code: 'entity_without_destination_schema', field: 'entity', entity: entity.name,
      message: `sends the projection of entity '${entity.name}', which has no schema for '${target}'`,
      suggestion: `Add a schema named '${target}' to the entity, or a body to the step.`,
    },
  ];
}

function recordsWithoutType(step: Step, entities: ReadonlyMap<string, Entity>): Fault[] {
  return entityUses(step).flatMap(({ path, name }) => {
    const entity = entities.get(name);
    if (!entity || entity.schemas.crm !== undefined || (path[0] === 'entity' && step.object_type !== undefined)) return [];
    return [
      {
        code: 'entity_without_crm_schema', field: path.join('.'), entity: name,
        message: `acts on records of entity '${name}', which has no schema 'crm' that says their object type`,
        suggestion: `Add the schema 'crm' with an object_type to the entity.`,
      },
    ];
  });
}
