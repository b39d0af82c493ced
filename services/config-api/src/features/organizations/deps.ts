import type { ConfigStore, EventIndex } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import type { Authenticators } from '../../auth/create-authenticate';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';
import type { AccountTimes } from '../accounts/deps';
import type { Passwords } from '../accounts/passwords';

/** What the routes of organizations, their keys, audit log and plan work with. */
export interface OrganizationDeps extends WithPublicUrl, Authenticators {
  store: Pick<ConfigStore, 'accounts' | 'audit' | 'members' | 'organizations'>;
  eventIndex: Pick<EventIndex, 'acceptedSince'>;
  creationLimit: CreationLimit;
  limits: LimitStore;
  passwords: Passwords;
  times: AccountTimes;
}
