import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What a dry run works with: it reads the draft and calls nobody. */
export interface DryRunDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  authenticate: Authenticate<Principal>;
}
