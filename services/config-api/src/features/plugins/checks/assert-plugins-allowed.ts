import { hasPlugins } from '@sluice/contracts';
import type { Principal } from '../../../auth/principal';
import type { WithPublicUrl } from '../../../http/with-public-url';
import { limitError } from '../../../limits/limit-error';
import { upgradeUrl } from '../../../plan/upgrade-url';

/** Throws 402 where the plan has no plugins. */
export function assertPluginsAllowed(deps: WithPublicUrl, { organization }: Principal): void {
  if (!hasPlugins(organization.tier)) throw limitError('plugin_system_not_allowed', organization, upgradeUrl(deps));
}
