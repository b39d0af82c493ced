import { type Finding, finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { CallResult } from '@sluice/ports';
import { actionScopes, objectTypesOf, scopesOfType } from './needed-scopes';

export const authorizeAgain = 'Authorize the portal again with these scopes.';

/** An object type of the config, and the place of the entity that names it. */
interface TypeNeed {
  type: string;
  place: { entity?: string; field?: string };
}

/** A step whose action needs scopes of its own. */
interface StepNeed {
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

/** Findings about missing scopes of the credential, or that they could not be checked. */
export function scopeFindings({ types, steps }: ScopeNeeds, scopes: CallResult<string[]>): Finding[] {
  if (scopes.ok && scopes.value.length > 0) {
    const held = new Set(scopes.value);
    return [...types.flatMap((need) => missingForType(need, held)), ...steps.flatMap((need) => missingForStep(need, held))];
  }
  const why = scopes.ok ? 'the CRM does not report them' : scopes.message;
  const notChecked = (code: string, what: string): Finding =>
    finding({ severity: 'warning', code, message: `${what} were not checked: ${why}`, suggestion: 'Run the preflight again.' });
  const named = types.map(({ type }) => type).join(', ');
  return [
    notChecked('crm_scopes_not_checked', `the scopes of the credential${steps.length > 0 ? ' and what the steps need' : ''}`),
    ...(types.length > 0 ? [notChecked('object_type_scopes_not_checked', `the scopes for ${named}`)] : []),
  ];
}

function missingForType({ type, place }: TypeNeed, held: ReadonlySet<string>): Finding[] {
  const needed = scopesOfType(type);
  if (needed === null)
    return [
      finding({
        ...place, severity: 'warning', code: 'object_type_scopes_not_checked',
        message: `the scopes for '${type}' were not checked: they are not known`,
      }),
    ];
  const missing = needed.filter((alternatives) => !alternatives.some((scope) => held.has(scope))).map(([scope]) => scope!);
  if (missing.length === 0) return [];
  return [
    finding({
      ...place, severity: 'error', code: 'object_type_missing_scopes', suggestion: authorizeAgain, reauthorize_scopes: missing,
      message: `records of '${type}' need the scopes ${missing.join(', ')}, which the credential does not have`,
    }),
  ];
}

function missingForStep({ code, scopes, step, action, place }: StepNeed, held: ReadonlySet<string>): Finding[] {
  const missing = scopes.filter((scope) => !held.has(scope));
  if (missing.length === 0) return [];
  return [
    finding({
      ...place, severity: 'error', code, suggestion: authorizeAgain, reauthorize_scopes: missing,
      message: `step '${step}' (${action}) needs the scopes ${missing.join(', ')}, which the credential lacks`,
    }),
  ];
}
