import { type Finding, finding, type RequiredProvisioning } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { propertyProblem } from '../../provisioning/check-property';
import type { ProvisioningPlan } from '../../provisioning/plan-provisioning';
import type { ProvisioningError } from '../../provisioning/report';
import { schemaScopesOf } from './needed-scopes';
import { authorizeAgain, type ScopeNeeds } from './scope-findings';

/** A place of the document that makes a publish create something. */
export interface ProvisioningPlace {
  /** As in reports of provisioning: the name of an entity, or `pipeline:<label>`. */
  entity: string;
  /** null: the object type, or the pipeline itself. */
  property: string | null;
  field: string;
}

/** Every such place; of several for one property the first. */
export function provisioningPlaces({ entities, pipelines = [] }: ConfigDocument): ProvisioningPlace[] {
  const ofEntities = entities.flatMap(({ name: entity, schemas: { crm } }, index): ProvisioningPlace[] => {
    if (!crm) return [];
    const place = `entities.${index}.schemas.crm`;
    const mapped = (crm.field_mappings ?? []).flatMap(({ target, provision_names: names = [] }, position) => {
      const field = `${place}.field_mappings.${position}`;
      return target === undefined
        ? names.map((property, at) => ({ entity, property, field: `${field}.provision_names.${at}` }))
        : [{ entity, property: target, field: `${field}.target` }];
    });
    const identity = crm.identity
      ? [{ entity, property: crm.identity.property, field: `${place}.identity.property` }]
      : [];
    return [...mapped, ...identity, { entity, property: null, field: `${place}.object_type` }];
  });
  const ofPipelines = pipelines.map(({ label }, index) => ({
    entity: `pipeline:${label}`, property: null, field: `pipelines.${index}`,
  }));
  return [...ofEntities, ...ofPipelines];
}

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
