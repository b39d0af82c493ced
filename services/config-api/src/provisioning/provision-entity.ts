import type { RequiredEntity, RequiredProperty } from '@sluice/config-model';
import type { CrmItemError, NewSchemaProperty } from '@sluice/ports';
import { groupNameProblem } from './check-names';
import type { PortalCalls } from './open-portal';
import { type EntityPlan, emptyEntry, planEntity, schemaName } from './plan-entity';
import { addError, addFailure, type Provisioned, type ProvisioningReport } from './report';

/** The connector's own group for what it creates (settings.crm_provisioning). */
export interface PropertyGroup {
  name: string;
  label: string;
}

/** Types whose values may be declared unique on the CRM. */
const uniqueTypes = new Set(['string', 'number']);
/** Standard types that records of a new custom type may be associated with, under the names a schema gives them. */
const standardPartners = ['CONTACT', 'COMPANY', 'DEAL', 'TICKET'];
/** Properties that one call may create. */
const batchSize = 100;

/** Creates the object type, the group and the properties that the portal lacks for an entity. */
export async function provisionEntity(
  portal: PortalCalls,
  entity: RequiredEntity,
  ownGroup: PropertyGroup,
  report: ProvisioningReport,
): Promise<void> {
  const plan = await planEntity(portal, entity, report);
  if (plan === null) return;
  const done = emptyEntry(plan);
  report.provisioned.push(done);
  if (plan.needsSchema && !(await createSchema(portal, plan, done, report))) return;
  const missing = plan.missing.filter(({ name }) => !done.created.includes(name));
  if (missing.length === 0) return;
  const group = entity.property_group === null ? ownGroup : { name: entity.property_group, label: entity.property_group };
  if (!(await ensureGroup(portal, entity, group, report))) return;
  for (let start = 0; start < missing.length && !report.lost; start += batchSize)
    await createProperties(portal, entity, missing.slice(start, start + batchSize), group.name, { done, report });
}

/**
 * Creates the custom object type with the entity's first property, which becomes its primary display property; the others follow
 * as on any type, because their group can be created only once the type is there.
 */
async function createSchema(
  portal: PortalCalls,
  { entity, missing }: EntityPlan,
  done: Provisioned,
  report: ProvisioningReport,
): Promise<boolean> {
  const first = missing[0]!;
  const name = schemaName(entity.object_type);
  const singular = name.split('_').filter((word) => word !== '').join(' ') || name;
  const create = (property: NewSchemaProperty) =>
    portal.createObjectSchema({
      name, labels: { singular, plural: `${singular}s` }, primaryDisplayProperty: first.name, requiredProperties: [],
      properties: [property], associatedObjects: standardPartners,
    });
  const definition = definitionOf(first);
  let made = await create(definition);
  // As with properties: where a unique one is refused, it is created plain.
  if (!made.ok && made.kind === 'permanent' && made.code !== 'crm_conflict' && definition.hasUniqueValue)
    made = await create(plain(definition));
  // Another client created the type meanwhile: its properties are added like those of any type.
  if (!made.ok && made.code === 'crm_conflict') return true;
  if (made.ok) done.created.push(first.name);
  else if (made.code === 'crm_forbidden')
    addError(
      report,
      entity,
      `the custom object type '${entity.object_type}' cannot be created: the credential needs the scope ` +
        `crm.schemas.custom.write, and the portal an edition with custom objects (${made.message})`,
    );
  else addFailure(report, entity, `the custom object type '${entity.object_type}' cannot be created`, made);
  return made.ok;
}

/** Whether the group is there, else with an error in the report. */
async function ensureGroup(
  portal: PortalCalls, entity: RequiredEntity, group: PropertyGroup, report: ProvisioningReport,
): Promise<boolean> {
  const groups = await portal.propertyGroups(entity.object_type);
  if (!groups.ok) {
    addFailure(report, entity, `the property groups of '${entity.object_type}' cannot be read`, groups);
    return false;
  }
  if (groups.value.some(({ name }) => name === group.name)) return true;
  const misnamed = groupNameProblem(group.name);
  if (misnamed !== null) addError(report, entity, misnamed);
  if (misnamed !== null) return false;
  const created = await portal.createPropertyGroup(entity.object_type, group);
  // 409: another client created it meanwhile.
  if (created.ok || created.status === 409) return true;
  addFailure(report, entity, `the property group '${group.name}' cannot be created`, created);
  return false;
}

async function createProperties(
  portal: PortalCalls,
  entity: RequiredEntity,
  missing: readonly RequiredProperty[],
  groupName: string,
  { done, report }: { done: Provisioned; report: ProvisioningReport },
): Promise<void> {
  let left = missing.map((property) => ({ ...definitionOf(property), groupName }));
  const create = async (definitions: typeof left) => {
    const answer = await portal.createProperties(entity.object_type, definitions);
    if (answer.ok) done.created.push(...answer.value.created);
    left = left.filter(({ name }) => !done.created.includes(name));
    return answer;
  };
  let answer = await create(left);
  // A portal may refuse uniqueness (ten per type, some types not at all): such a property is created plain.
  if (left.some(({ hasUniqueValue }) => hasUniqueValue) && (answer.ok || answer.kind === 'permanent'))
    answer = await create(left.map(plain));
  if (left.length === 0) return;
  if (!answer.ok && answer.kind === 'transient') report.lost = true;
  const errors = answer.ok ? answer.value.errors : [];
  if (errors.some(({ category }) => category === 'OBJECT_ALREADY_EXISTS')) {
    // Another client created some of them meanwhile.
    const now = await portal.properties(entity.object_type);
    const present = new Set(now.ok ? now.value.map(({ name }) => name) : []);
    done.skipped_existing.push(...left.flatMap(({ name }) => (present.has(name) ? [name] : [])));
    left = left.filter(({ name }) => !present.has(name));
  }
  for (const { name } of left) {
    const words = answer.ok ? refusalOf(errors, name) : answer.message;
    addError(report, entity, `property '${name}' cannot be created: ${words}`, name);
  }
}

/** The CRM's error of one property; if no entry names it, the first one. */
function refusalOf(errors: readonly CrmItemError[], name: string): string {
  const about = errors.find(({ context, message }) => context['name']?.includes(name) || message.includes(`'${name}'`));
  return (about ?? errors[0])?.message ?? 'the CRM refused it';
}

const plain = <T extends { hasUniqueValue?: boolean }>({ hasUniqueValue: _unique, ...definition }: T) => definition;

/** The CRM wants the two values of a bool as options. */
const boolOptions = [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }];

function definitionOf(property: RequiredProperty): NewSchemaProperty {
  const { name, label, type, field_type: fieldType, identity } = property;
  const options = type === 'bool' && property.options.length === 0 ? boolOptions : property.options;
  return {
    name,
    label,
    type,
    fieldType,
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
