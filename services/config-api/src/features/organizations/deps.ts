import type { ConfigStore, EventIndex } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';

/** What the routes of an organization's keys, audit log and plan work with. */
export interface OrganizationDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'audit' | 'organizations'>;
  eventIndex: Pick<EventIndex, 'acceptedSince'>;
  creationLimit: CreationLimit;
  authenticate: Authenticate<Principal>;
}
