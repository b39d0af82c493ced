import type { ConfigDocument } from '@sluice/contracts';
import { actionScopes, objectTypesOf } from './needed-scopes';

/** An object type of the config, and the place of the entity that names it. */
export interface TypeNeed {
  type: string;
  place: { entity?: string; field?: string };
}

/** A step whose action needs scopes of its own. */
export interface StepNeed {
  code: string;
  scopes: string[];
  step: string;
  action: string;
  place: { event_flow: string; field: string; entity: string | null };
}

/** What a config needs the credential for. */
export interface ScopeNeeds {
  types: TypeNeed[];
  steps: StepNeed[];
}

/** The object types of a config, and its steps whose actions need scopes of their own. */
export function scopeNeeds(config: ConfigDocument): ScopeNeeds {
  const places = new Map<string, TypeNeed['place']>();
  for (const [index, { name, schemas }] of config.entities.entries()) {
    const type = schemas.crm?.object_type;
    if (type !== undefined && !places.has(type))
      places.set(type, { entity: name, field: `entities.${index}.schemas.crm.object_type` });
  }
  return { types: objectTypesOf(config).map((type) => ({ type, place: places.get(type) ?? {} })), steps: stepNeeds(config) };
}

function stepNeeds({ flows }: ConfigDocument): StepNeed[] {
  return flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex): StepNeed[] => {
      const own = Object.hasOwn(actionScopes, step.action) ? actionScopes[step.action]! : null;
      if (own === null) return [];
      const entity = typeof step.entity === 'string' ? step.entity : null;
      const place = { event_flow: flow.name, field: `flows.${flowIndex}.steps.${stepIndex}`, entity };
      return [{ code: own.code, scopes: own.scopes(step), step: step.id, action: step.action, place }];
    }),
  );
}
