import type { RequiredEntity, RequiredProperty } from '@sluice/config-model';
import type { CrmPropertyDefinition } from '@sluice/ports';
import { propertyProblem } from './check-property';
import type { PortalCalls } from './open-portal';

/** What provisioning did for one entity. */
export interface Provisioned {
  entity: string;
  object_type: string;
  created: string[];
  skipped_existing: string[];
}

export interface ProvisioningError {
  entity: string;
  object_type: string;
  property: string | null;
  message: string;
}

export interface ProvisioningReport {
  provisioned: Provisioned[];
  errors: ProvisioningError[];
}

/** The connector's own group for what it creates (settings.crm_provisioning). */
export interface PropertyGroup {
  name: string;
  label: string;
}

/** Types whose values may be declared unique on the CRM. */
const uniqueTypes = new Set(['string', 'number']);

/**
 * Gives a portal the groups and properties that entities need, one entity after the other. Never changes what exists; what
 * was created stays when something later fails, so that a retry resumes.
 */
export async function provision(
  portal: PortalCalls,
  entities: readonly RequiredEntity[],
  ownGroup: PropertyGroup,
): Promise<ProvisioningReport> {
  const report: ProvisioningReport = { provisioned: [], errors: [] };
  for (const entity of entities) await provisionEntity(portal, entity, ownGroup, report);
  return report;
}

/** What of an entity's properties the portal does not have. Null with an error in the report when it cannot be asked. */
export async function missingProperties(
  portal: PortalCalls,
  entity: RequiredEntity,
  report: ProvisioningReport,
): Promise<RequiredProperty[] | null> {
  const existing = await portal.properties(entity.object_type);
  if (!existing.ok) {
    report.errors.push(
      errorOf(
        entity,
        null,
        entity.custom_object && existing.status === 404
          ? `the portal has no object type '${entity.object_type}'`
          : `the properties of '${entity.object_type}' cannot be read: ${existing.message}`,
      ),
    );
    return null;
  }
  const names = new Set(existing.value.map(({ name }) => name));
  return entity.properties.filter(({ name }) => !names.has(name));
}

async function provisionEntity(
  portal: PortalCalls,
  entity: RequiredEntity,
  ownGroup: PropertyGroup,
  report: ProvisioningReport,
): Promise<void> {
  const missing = await missingProperties(portal, entity, report);
  if (missing === null) return;
  const absent = new Set(missing.map(({ name }) => name));
  const done: Provisioned = {
    entity: entity.entity,
    object_type: entity.object_type,
    created: [],
    skipped_existing: entity.properties.flatMap(({ name }) => (absent.has(name) ? [] : [name])),
  };
  report.provisioned.push(done);
  const problems = missing.flatMap((property) => {
    const words = propertyProblem(property);
    return words === null ? [] : [errorOf(entity, property.name, words)];
  });
  if (missing.length === 0 || problems.length > 0) return void report.errors.push(...problems);
  const group = entity.property_group === null ? ownGroup : { name: entity.property_group, label: entity.property_group };
  const refused = await ensureGroup(portal, entity.object_type, group);
  if (refused !== null) return void report.errors.push(errorOf(entity, null, refused));
  await createMissing(
    portal,
    entity,
    missing.map((property) => definitionOf(property, group.name)),
    done,
    report,
  );
}

/** Why the group cannot be had, null when it is there. */
async function ensureGroup(portal: PortalCalls, objectType: string, group: PropertyGroup): Promise<string | null> {
  const groups = await portal.propertyGroups(objectType);
  if (!groups.ok) return `the property groups of '${objectType}' cannot be read: ${groups.message}`;
  if (groups.value.some(({ name }) => name === group.name)) return null;
  const created = await portal.createPropertyGroup(objectType, group);
  // 409: somebody else created it in the meantime.
  return created.ok || created.status === 409 ? null : `property group '${group.name}' cannot be created: ${created.message}`;
}

async function createMissing(
  portal: PortalCalls,
  entity: RequiredEntity,
  definitions: CrmPropertyDefinition[],
  done: Provisioned,
  report: ProvisioningReport,
): Promise<void> {
  let answer = await portal.createProperties(entity.object_type, definitions);
  if (answer.ok) done.created.push(...answer.value.created);
  let left = definitions.filter(({ name }) => !done.created.includes(name));
  // A portal may refuse uniqueness (ten per type, some types not at all): such a property is created plain.
  if (left.some(({ hasUniqueValue }) => hasUniqueValue) && (answer.ok || answer.kind === 'permanent')) {
    answer = await portal.createProperties(
      entity.object_type,
      left.map(({ hasUniqueValue: _unique, ...plain }) => plain),
    );
    if (answer.ok) done.created.push(...answer.value.created);
    left = left.filter(({ name }) => !done.created.includes(name));
  }
  const words = answer.ok ? (answer.value.errors[0]?.message ?? 'the CRM refused it') : answer.message;
  report.errors.push(...left.map(({ name }) => errorOf(entity, name, `property '${name}' cannot be created: ${words}`)));
}

const errorOf = (entity: RequiredEntity, property: string | null, message: string): ProvisioningError => ({
  entity: entity.entity,
  object_type: entity.object_type,
  property,
  message,
});

function definitionOf(property: RequiredProperty, groupName: string): CrmPropertyDefinition {
  const { name, label, type, field_type: fieldType, options, identity } = property;
  return {
    name,
    label,
    type,
    fieldType,
    groupName,
    ...(options.length > 0 && {
      options: options.map((option, index) => ({
        label: option.label ?? option.value,
        value: option.value,
        displayOrder: index,
        hidden: false,
      })),
    }),
    ...(identity && uniqueTypes.has(type) && { hasUniqueValue: true }),
  };
}
