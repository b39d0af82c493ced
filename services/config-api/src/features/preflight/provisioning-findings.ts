import { type Finding, finding, type RequiredProvisioning } from '@sluice/config-model';
import { propertyProblem } from '../../provisioning/check-property';
import type { ProvisioningPlan } from '../../provisioning/plan-provisioning';
import type { ProvisioningError } from '../../provisioning/report';
import { schemaScopesOf } from '../../work/needs/needed-scopes';
import { authorizeAgain } from './scope-findings';
import type { ScopeNeeds } from '../../work/needs/scope-needs';
import type { ProvisioningPlace } from '../../work/needs/provisioning-places';

const fieldOf = (places: readonly ProvisioningPlace[], at: Pick<ProvisioningError, 'entity' | 'property'>): string | null =>
  places.find(({ entity, property }) => entity === at.entity && property === at.property)?.field ?? null;

/** What a publish could not create on the portal, each at its place in the document. */
export function provisioningFindings(places: readonly ProvisioningPlace[], { errors, lost }: ProvisioningPlan): Finding[] {
  return errors.map((error) =>
    finding({
      severity: lost ? 'warning' : 'error', code: lost ? 'provisioning_not_checked' : 'provisioning_failed',
      message: `${error.entity}: ${error.message}`, field: fieldOf(places, error),
      entity: error.entity.startsWith('pipeline:') ? null : error.entity,
    }),
  );
}

/** Without a portal: properties that none could be given. A publish does not fail for them, because nothing is provisioned. */
export function unboundProvisioningFindings(
  { entities }: RequiredProvisioning,
  places: readonly ProvisioningPlace[],
): Finding[] {
  return entities.flatMap(({ entity, properties }) =>
    properties.flatMap((property) => {
      const message = propertyProblem(property);
      const field = fieldOf(places, { entity, property: property.name });
      return message === null
        ? []
        : [finding({ severity: 'warning', code: 'provisioning_failed', message: `${entity}: ${message}`, field, entity })];
    }),
  );
}

/**
 * Scopes that the credential lacks to create what the portal lacks.
 * @param scopes those it has; empty: the CRM does not report them
 */
export function provisioningScopeFindings(
  { types }: Pick<ScopeNeeds, 'types'>,
  plan: ProvisioningPlan,
  scopes: readonly string[],
): Finding[] {
  if (scopes.length === 0) return [];
  const created = [...plan.custom_objects, ...plan.property_groups, ...plan.properties, ...plan.pipelines];
  return [...new Set(created.map(({ object_type: type }) => type))].flatMap((type) => {
    const needed = schemaScopesOf(type);
    if (needed === null || needed.some((scope) => scopes.includes(scope))) return [];
    return [
      finding({
        ...types.find((one) => one.type === type)?.place,
        severity: 'error', code: 'object_type_missing_scopes', reauthorize_scopes: needed.slice(0, 1), suggestion: authorizeAgain,
        message: `a publish would create definitions of '${type}', for which the credential needs the scope ${needed[0]}`,
      }),
    ];
  });
}
