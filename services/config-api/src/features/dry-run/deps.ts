import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigWork } from '../../work/create-config-work';

/** What a dry run needs: it reads the draft and makes no outside call. */
export interface DryRunDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  configWork: Pick<ConfigWork, 'run'>;
  authenticate: Authenticate<Principal>;
}
