import { type Finding, finding } from '@sluice/config-model';
import type { CallResult } from '@sluice/ports';
import type { PortalCalls } from '../../provisioning/open-portal';
import { planProvisioning, type ProvisioningPlan } from '../../provisioning/plan-provisioning';
import type { PropertyGroup } from '../../provisioning/provision-entity';
import { associationFindings } from './association-findings';
import { type CountWithout, identityFindings } from './identity-findings';
import type { PreflightNeeds } from './preflight-needs';
import { scopeFindings } from './scope-findings';

/** The findings about what a config needs, on the portal. `scopes`: those of the credential, which were read first. */
export async function portalFindings(
  portal: PortalCalls,
  needs: PreflightNeeds,
  ownGroup: PropertyGroup,
  scopes: CallResult<string[]>,
): Promise<Finding[]> {
  const found = scopeFindings(needs.scopes, scopes);
  // A credential that the CRM refuses can read nothing else either.
  if (!scopes.ok && scopes.kind === 'fatal') return found;
  const [plan, associations] = await Promise.all([
    planProvisioning(portal, needs.required, ownGroup),
    associationFindings(needs.associations, (from, to) => portal.associationTypes(from, to)),
  ]);
  const records = plan.lost ? [] : await identityFindings(needs.identities, countWithout(portal, plan));
  return [...found, ...provisioningFindings(plan), ...associations, ...records];
}

function provisioningFindings({ errors, lost }: ProvisioningPlan): Finding[] {
  return errors.map(({ entity, message, property }) =>
    finding({
      severity: lost ? 'warning' : 'error', code: lost ? 'provisioning_not_checked' : 'provisioning_failed',
      message: `${entity}: ${message}`, field: property, entity: entity.startsWith('pipeline:') ? null : entity,
    }),
  );
}

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
