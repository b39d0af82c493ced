import type { RequiredEntity, RequiredProperty } from '@sluice/config-model';
import { schemaNameProblem } from './check-names';
import { propertyProblem } from './check-property';
import type { PortalCalls } from './open-portal';
import { addError, addFailure, type ProvisioningReport } from './report';

/** What the portal lacks for an entity. */
export interface EntityPlan {
  entity: RequiredEntity;
  /** The portal has no such custom object type yet: its schema is created first. */
  needsSchema: boolean;
  missing: RequiredProperty[];
  existing: string[];
}

/** Custom object types as a config names them: `p<portalId>_<name>`. */
const customType = /^p(\d+)_(.+)$/;

/** The schema name in a custom object type. */
export const schemaName = (objectType: string): string => customType.exec(objectType)?.[2] ?? objectType;

/**
 * Compares what an entity needs with what the portal has. Null with errors in the report when the portal cannot be asked, or when
 * something that would be created cannot be: what exists is not checked.
 */
export async function planEntity(
  portal: PortalCalls,
  entity: RequiredEntity,
  report: ProvisioningReport,
): Promise<EntityPlan | null> {
  const known = await existingProperties(portal, entity, report);
  if (known === null) return null;
  const needsSchema = known === 'no_object_type';
  const names = needsSchema ? new Set<string>() : known;
  const missing = entity.properties.filter(({ name }) => !names.has(name));
  const errors = report.errors.length;
  for (const property of missing) {
    const problem = propertyProblem(property);
    if (problem !== null) addError(report, entity, problem, property.name);
  }
  const misnamed = needsSchema ? schemaNameProblem(schemaName(entity.object_type)) : null;
  if (misnamed !== null) addError(report, entity, misnamed);
  if (needsSchema && missing.length === 0)
    addError(report, entity, `the custom object type '${entity.object_type}' needs a property to be created with`);
  const existing = entity.properties.flatMap(({ name }) => (names.has(name) ? [name] : []));
  const plan = { entity, needsSchema, missing, existing };
  if (report.errors.length === errors) return plan;
  report.provisioned.push(emptyEntry(plan));
  return null;
}

/** The entry of an entity for which nothing was created yet. */
export const emptyEntry = ({ entity, existing }: EntityPlan) => ({
  entity: entity.entity, object_type: entity.object_type, created: [] as string[], skipped_existing: [...existing],
});

/** Names of the properties of the entity's object type. */
async function existingProperties(
  portal: PortalCalls,
  entity: RequiredEntity,
  report: ProvisioningReport,
): Promise<Set<string> | 'no_object_type' | null> {
  const { object_type: objectType } = entity;
  const properties = await portal.properties(objectType);
  if (properties.ok) return new Set(properties.value.map(({ name }) => name));
  // The CRM refuses the name of a type that is not there like any other wrong name; only the schemas tell.
  if (entity.custom_object && properties.kind === 'permanent') {
    const schema = await portal.objectSchema(objectType);
    if (!schema.ok && schema.code === 'crm_not_found') return missingType(portal, entity, report);
    if (!schema.ok) {
      addFailure(report, entity, `the schema of '${objectType}' cannot be read`, schema);
      return null;
    }
  }
  addFailure(report, entity, `the properties of '${objectType}' cannot be read`, properties);
  return null;
}

function missingType({ portalId }: PortalCalls, entity: RequiredEntity, report: ProvisioningReport): 'no_object_type' | null {
  const owner = customType.exec(entity.object_type)?.[1];
  if (owner === portalId) return 'no_object_type';
  addError(
    report,
    entity,
    `the object type '${entity.object_type}' is one of portal ${owner}, and the connector is bound to portal ${portalId}`,
  );
  return null;
}
