import { type Finding, finding } from '@sluice/config-model';
import type { CallResult } from '@sluice/ports';
import type { PortalCalls } from '../../provisioning/open-portal';
import { createsSomething, planProvisioning, type ProvisioningPlan } from '../../provisioning/plan-provisioning';
import type { PropertyGroup } from '../../provisioning/provision-entity';
import { associationFindings } from './association-findings';
import { type CountWithout, identityFindings } from './identity-findings';
import type { PreflightNeeds } from '../../work/needs/preflight-needs';
import { provisioningFindings, provisioningScopeFindings } from './provisioning-findings';
import { scopeFindings } from './scope-findings';

/** What decides a publish on a portal beside the config. */
export interface PortalChecks {
  ownGroup: PropertyGroup;
  /** The scopes of the credential, which were read first. */
  scopes: CallResult<string[]>;
  /** The organization confirms what a publish creates. */
  reviewRequired: boolean;
}

/** The findings about what a config needs, on the portal. */
export async function portalFindings(
  portal: PortalCalls,
  needs: PreflightNeeds,
  { ownGroup, scopes, reviewRequired }: PortalChecks,
): Promise<Finding[]> {
  const found = scopeFindings(needs.scopes, scopes);
  // A credential that the CRM refuses can read nothing else either.
  if (!scopes.ok && scopes.kind === 'fatal') return found;
  const [plan, associations] = await Promise.all([
    planProvisioning(portal, needs.required, ownGroup),
    associationFindings(needs.associations, (from, to) => portal.associationTypes(from, to)),
  ]);
  const records = plan.lost ? [] : await identityFindings(needs.identities, countWithout(portal, plan));
  return [
    ...found,
    ...provisioningFindings(needs.places, plan),
    ...provisioningScopeFindings(needs.scopes, plan, scopes.ok ? scopes.value : []),
    ...(reviewRequired ? reviewFindings(plan) : []),
    ...associations,
    ...records,
  ];
}

const reviewFindings = (plan: ProvisioningPlan): Finding[] =>
  createsSomething(plan)
    ? [
        finding({
          severity: 'info', code: 'publish_review_required',
          message: 'a publish would create something on the portal, which the organization wants to be confirmed',
          suggestion: 'Read GET publish-review, and publish with review.draft_version.',
        }),
      ]
    : [];

/** Counts with one search; while the property does not exist, every record of the type is without it. */
function countWithout(portal: PortalCalls, plan: ProvisioningPlan): CountWithout {
  return async (objectType, property) => {
    if (plan.custom_objects.some((one) => one.object_type === objectType)) return null;
    const isNew = plan.properties.some((one) => one.object_type === objectType && one.name === property);
    const filterGroups = isNew ? [] : [{ filters: [{ propertyName: property, operator: 'NOT_HAS_PROPERTY' }] }];
    const answer = await portal.search(objectType, { filterGroups, properties: [], limit: 1 });
    return answer.ok ? { ok: true, value: answer.value.total } : answer;
  };
}
