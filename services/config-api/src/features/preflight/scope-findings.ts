import { type Finding, finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { CallResult } from '@sluice/ports';
import { actionScopes, objectTypesOf, scopesOfType } from './needed-scopes';

const suggestion = 'Authorize the portal again with these scopes.';

/** Findings about missing scopes of the credential, or that they could not be checked. */
export function scopeFindings(config: ConfigDocument, scopes: CallResult<string[]>): Finding[] {
  const types = objectTypesOf(config);
  const actions = config.flows.flatMap(({ steps }) => steps.filter(({ action }) => Object.hasOwn(actionScopes, action)));
  if (scopes.ok && scopes.value.length > 0) {
    const held = new Set(scopes.value);
    return [...types.flatMap((type) => missingForType(config, type, held)), ...missingForActions(config, held)];
  }
  const why = scopes.ok ? 'the CRM does not report them' : scopes.message;
  const notChecked = (code: string, what: string): Finding =>
    finding({ severity: 'warning', code, message: `${what} were not checked: ${why}`, suggestion: 'Run the preflight again.' });
  return [
    notChecked('crm_scopes_not_checked', `the scopes of the credential${actions.length > 0 ? ' and what the steps need' : ''}`),
    ...(types.length > 0 ? [notChecked('object_type_scopes_not_checked', `the scopes for ${types.join(', ')}`)] : []),
  ];
}

function missingForType(config: ConfigDocument, type: string, held: ReadonlySet<string>): Finding[] {
  const needed = scopesOfType(type);
  const index = config.entities.findIndex(({ schemas }) => schemas.crm?.object_type === type);
  const place = index < 0
    ? {}
    : { entity: config.entities[index]!.name, field: `entities.${index}.schemas.crm.object_type` };
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
      ...place, severity: 'error', code: 'object_type_missing_scopes', suggestion, reauthorize_scopes: missing,
      message: `records of '${type}' need the scopes ${missing.join(', ')}, which the credential does not have`,
    }),
  ];
}

function missingForActions(config: ConfigDocument, held: ReadonlySet<string>): Finding[] {
  return config.flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex) => {
      const own = Object.hasOwn(actionScopes, step.action) ? actionScopes[step.action]! : null;
      const missing = own?.scopes(step).filter((scope) => !held.has(scope)) ?? [];
      if (own === null || missing.length === 0) return [];
      return [
        finding({
          severity: 'error', code: own.code, suggestion, reauthorize_scopes: missing, event_flow: flow.name,
          field: `flows.${flowIndex}.steps.${stepIndex}`, entity: typeof step.entity === 'string' ? step.entity : null,
          message: `step '${step.id}' (${step.action}) needs the scopes ${missing.join(', ')}, which the credential lacks`,
        }),
      ];
    }),
  );
}
