import type { Step } from '@sluice/contracts';

/** A place in a step that names an entity. */
export interface EntityUse {
  /** From the step to the name. */
  path: (string | number)[];
  name: string;
}

/** Every entity that a step names: its record, the ends of its association, and those of its `associations`. */
export function entityUses(step: Step): EntityUse[] {
  const direct = ['entity', 'from_entity', 'to_entity'].map((field) => ({ path: [field], name: step[field] }));
  const associations = Array.isArray(step.associations) ? (step.associations as Record<string, unknown>[]) : [];
  const nested = associations.flatMap((entry, index) =>
    ['to_entity', 'entity'].map((field) => ({ path: ['associations', index, field], name: entry?.[field] })),
  );
  return [...direct, ...nested].filter((one): one is EntityUse => typeof one.name === 'string');
}
