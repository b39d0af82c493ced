import type { ConfigStore } from '@sluice/ports';
import type { Authenticators } from '../../auth/create-authenticate';

/** What the routes of members work with. */
export interface MemberDeps extends Pick<Authenticators, 'authenticate'> {
  store: Pick<ConfigStore, 'members'>;
}
