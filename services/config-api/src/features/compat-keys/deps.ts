import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';

/** What the routes of compat keys work with. */
export interface CompatKeyDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'compatKeys'>;
  creationLimit: CreationLimit;
  authenticate: Authenticate<Principal>;
}
