import type { RequiredProvisioning } from '@sluice/config-model';
import type { ConfigWork } from '../work/create-config-work';

/** What a publish of a config creates on the portal if missing. Throws as `ConfigWork.run` does. */
export async function requiredOf(
  { configWork }: { configWork: Pick<ConfigWork, 'run'> },
  organizationId: string,
  config: unknown,
): Promise<RequiredProvisioning> {
  const text = JSON.stringify(config);
  const required = await configWork.run(organizationId, 'required_provisioning', { text }, { bytes: text.length });
  return JSON.parse(required) as RequiredProvisioning;
}
