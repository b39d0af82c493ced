import type { ConfigStore, ConflictStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of conflict records work with. */
export interface ConflictDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  conflicts: ConflictStore;
  authenticate: Authenticate<Principal>;
}
