import type { ConfigDocument, Entity, Flow } from '@sluice/contracts';
import { compileMapping } from '@sluice/flow-engine';
import { compiled } from './compiled';
import { entityUses } from './entity-use';
import { finding, type Finding } from './finding';

/**
 * Mappings that read the output of a step which no step that uses the entity comes after: they never have a value. A mapping that
 * only some flows can fill is no finding, because an entity may serve several flows.
 */
export function mappingReferenceFindings(config: ConfigDocument): Finding[] {
  const visible = visibleSteps(config.flows);
  return config.entities.flatMap((entity, index) => {
    const seen = visible.get(entity.name);
    return stepsRead(entity, index).flatMap(({ stepId, text, field }) =>
      seen?.has(stepId)
        ? []
        : [
            finding({
              severity: seen === undefined ? 'warning' : 'error', code: 'unknown_step_reference', field, entity: entity.name,
              message: `a mapping of entity '${entity.name}' reads '${text}', and no step that uses the entity comes after a step '${stepId}'`,
              suggestion: 'Correct the id of the step, or read the value from the event.',
            }),
          ],
    );
  });
}

/** For each entity that a step names, the ids of the steps before such a step, in any flow. */
function visibleSteps(flows: readonly Flow[]): Map<string, Set<string>> {
  const visible = new Map<string, Set<string>>();
  for (const { steps } of flows) {
    // The last step that names an entity sees what all others of its flow see.
    const last = new Map<string, number>();
    steps.forEach((step, position) => entityUses(step).forEach(({ name }) => last.set(name, position)));
    for (const [entity, position] of last) {
      const seen = visible.get(entity) ?? new Set();
      visible.set(entity, seen);
      for (const { id } of steps.slice(0, position)) seen.add(id);
    }
  }
  return visible;
}

interface MappingRead {
  stepId: string;
  text: string;
  field: string;
}

/** The steps whose outputs the mappings of an entity read, each once, with the first place. */
function stepsRead({ schemas }: Entity, index: number): MappingRead[] {
  const reads = new Map<string, MappingRead>();
  for (const [name, { field_mappings: mappings = [] }] of Object.entries(schemas))
    for (const [position, mapping] of mappings.entries())
      for (const { stepId, text } of compiled(() => compileMapping(mapping))?.references ?? []) {
        const field = `entities.${index}.schemas.${name}.field_mappings.${position}`;
        if (stepId !== null && !reads.has(stepId)) reads.set(stepId, { stepId, text, field });
      }
  return [...reads.values()];
}
