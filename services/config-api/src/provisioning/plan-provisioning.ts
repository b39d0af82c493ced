import type { RequiredProvisioning } from '@sluice/config-model';
import type { Pipeline } from '@sluice/contracts';
import type { PortalCalls } from './open-portal';
import { groupNameProblem } from './check-names';
import { planEntity } from './plan-entity';
import { planPipeline, stagesOf } from './plan-pipeline';
import type { PropertyGroup } from './provision-entity';
import { addError, emptyReport, type ProvisioningError } from './report';

/** A property that a publish would create. */
export interface PlannedProperty {
  entity: string;
  object_type: string;
  name: string;
  type: string;
  field_type: string;
  group: string;
  options: { value: string; label?: string }[];
}

/** What a publish would create on the portal, and the errors of parts that are unknown. */
export interface ProvisioningPlan {
  property_groups: { object_type: string; name: string; label: string }[];
  properties: PlannedProperty[];
  custom_objects: { entity: string; object_type: string }[];
  pipelines: Pipeline[];
  errors: ProvisioningError[];
  /** The portal did not answer: the plan is not complete. */
  lost: boolean;
}

/** Looks at what `provision` would create; creates nothing. Two entities of one object type share what they need. */
export async function planProvisioning(
  portal: PortalCalls,
  { entities, pipelines }: RequiredProvisioning,
  ownGroup: PropertyGroup,
): Promise<ProvisioningPlan> {
  const report = emptyReport();
  const plan: ProvisioningPlan = {
    property_groups: [], properties: [], custom_objects: [], pipelines: [], errors: report.errors, lost: false,
  };
  const newTypes = new Set<string>();
  /** `object_type` and name of each planned property: thousands of them must not be searched for one another. */
  const plannedNames = new Set<string>();
  for (const entity of entities) {
    if (report.lost) break;
    const found = await planEntity(portal, entity, report);
    if (found === null) continue;
    const { entity: name, object_type } = entity;
    if (found.needsSchema && !newTypes.has(object_type)) plan.custom_objects.push({ entity: name, object_type });
    if (found.needsSchema) newTypes.add(object_type);
    const group = entity.property_group === null ? ownGroup : { name: entity.property_group, label: entity.property_group };
    const missing = found.missing.filter((property) => !plannedNames.has(`${object_type} ${property.name}`));
    for (const property of missing) plannedNames.add(`${object_type} ${property.name}`);
    plan.properties.push(...missing.map(({ name: property, type, field_type, options }) =>
      ({ entity: name, object_type, name: property, type, field_type, group: group.name, options })));
    const planned = plan.property_groups.some((one) => one.object_type === object_type && one.name === group.name);
    if (missing.length === 0 || planned || (!found.needsSchema && (await hasGroup(portal, object_type, group.name)))) continue;
    const misnamed = groupNameProblem(group.name);
    if (misnamed === null) plan.property_groups.push({ object_type, ...group });
    else addError(report, entity, misnamed);
  }
  for (const pipeline of pipelines) {
    if (report.lost) break;
    const found = newTypes.has(pipeline.object_type)
      ? stagesOf(pipeline, undefined, 0, report)
      : await planPipeline(portal, pipeline, report);
    if (found === null || found.missing.length === 0) continue;
    const labels = new Set(found.missing.map(({ label }) => label));
    plan.pipelines.push({ ...pipeline, stages: pipeline.stages.filter(({ label }) => labels.has(label)) });
  }
  return { ...plan, lost: report.lost };
}

/** Where the groups cannot be read, the group is shown as one to be created: the publish tells what is wrong. */
async function hasGroup(portal: PortalCalls, objectType: string, name: string): Promise<boolean> {
  const groups = await portal.propertyGroups(objectType);
  return groups.ok && groups.value.some((group) => group.name === name);
}

/** Whether the plan creates anything. */
export const createsSomething = ({ properties, custom_objects, pipelines, property_groups }: ProvisioningPlan): boolean =>
  [properties, custom_objects, pipelines, property_groups].some((list) => list.length > 0);
