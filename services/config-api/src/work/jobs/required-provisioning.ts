import { requiredProvisioning } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** What a publish of the config (JSON) creates on the portal if missing; as JSON, because it may be as large as the config. */
export const requiredProvisioningJob = ({ text }: { text: string }): string =>
  JSON.stringify(requiredProvisioning(JSON.parse(text) as ConfigDocument));
