import type { ConnectorRow } from '@sluice/ports';
import type { ProvisioningPlan } from '../../provisioning/plan-provisioning';
import type { PreviewDeps } from './deps';
import { plannedProvisioning } from './planned-provisioning';
import { type ResolvedChange, resolvedChange as change } from './resolved-change';

/** A person waits for the preview, and the portal is only one part of it. */
const patienceMs = 5_000;

/** What a publish would do on the portal. A portal that does not answer in time is one entry that says so. */
export async function resolvedChanges(
  deps: Pick<PreviewDeps, 'configWork' | 'openPortal'>,
  connector: ConnectorRow,
  config: unknown,
): Promise<ResolvedChange[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => { timer = setTimeout(resolve, patienceMs, 'late'); });
  try {
    const plan = await Promise.race([plannedProvisioning(deps, connector, config), late]);
    if (plan === 'late') return [change('portal_not_checked', 'The portal does not answer in time.')];
    return plan ? changesOf(plan) : [];
  } finally {
    clearTimeout(timer);
  }
}

function changesOf({ property_groups, properties, custom_objects, pipelines, errors }: ProvisioningPlan): ResolvedChange[] {
  return [
    ...custom_objects.map(({ entity, object_type }) =>
      change('custom_object_added', `The custom object type '${object_type}' is created on the portal.`, entity)),
    ...property_groups.map(({ name, object_type }) =>
      change('property_group_added', `The property group '${name}' of '${object_type}' is created on the portal.`)),
    ...properties.map(({ entity, name, object_type }) =>
      change('property_added', `The property '${name}' of '${object_type}' is created on the portal.`, entity)),
    ...pipelines.map(({ label, object_type, stages }) =>
      change('pipeline_added', `Stages of the pipeline '${label}' of '${object_type}' are created on the portal: ${
        stages.map((stage) => stage.label).join(', ')}.`)),
    ...errors.map(({ entity, message }) => change('portal_not_checked', message, entity)),
  ];
}
