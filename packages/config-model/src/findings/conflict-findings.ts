import type { ConfigDocument } from '@sluice/contracts';
import { finding, type Finding } from './finding';

/** Policies of the conflicts block for entities that are not in the config. */
export function conflictFindings({ conflicts, entities }: ConfigDocument): Finding[] {
  const names = entities.map(({ name }) => name);
  return Object.keys(conflicts?.entities ?? {}).filter((name) => !names.includes(name)).map((name) =>
    finding({
      severity: 'error', code: 'conflicts_of_unknown_entity', field: `conflicts.entities.${name}`,
      message: `conflicts names the entity '${name}', which is not in this config: the policy applies to nothing`,
      suggestion: names.length === 0 ? 'The config has no entities.' : `Entities: ${names.slice(0, 20).join(', ')}.`,
    }),
  );
}
