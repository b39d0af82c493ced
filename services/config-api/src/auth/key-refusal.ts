import { volumeLimits } from '@sluice/contracts';
import { KeyLimitReached, type OrganizationRow } from '@sluice/ports';
import { limitError } from '../limits/limit-error';

/** The error answer when a key cannot be made; other errors are passed on. */
export function keyRefusal(organization: OrganizationRow, upgradeUrl: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof KeyLimitReached)) throw error;
    throw limitError('api_key_limit_reached', organization, upgradeUrl, {
      limit: volumeLimits(organization).api_keys_limit,
      usage: error.usage,
    });
  };
}
