import { type Finding, finding } from '@sluice/config-model';
import type { CallResult } from '@sluice/ports';
import { scopesOfType } from '../../work/needs/needed-scopes';
import type { ScopeNeeds, StepNeed, TypeNeed } from '../../work/needs/scope-needs';

export const authorizeAgain = 'Authorize the portal again with these scopes.';

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
