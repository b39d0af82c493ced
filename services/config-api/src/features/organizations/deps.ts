import type { ConfigStore } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import type { Authenticators } from '../../auth/create-authenticate';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';
import type { PlanUsageDeps } from '../../plan/plan-usage';
import type { AccountTimes } from '../accounts/deps';
import type { Passwords } from '../accounts/passwords/passwords';

/** What the routes of organizations, their keys, audit log and plan work with. */
export interface OrganizationDeps extends WithPublicUrl, Authenticators, Pick<PlanUsageDeps, 'eventIndex' | 'quota'> {
  store: Pick<ConfigStore, 'accounts' | 'audit' | 'members' | 'organizations'>;
  creationLimit: CreationLimit;
  limits: LimitStore;
  passwords: Passwords;
  times: AccountTimes;
}
