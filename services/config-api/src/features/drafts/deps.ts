import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigChecker } from '../../work/create-config-checker';
import type { ConfigWork } from '../../work/create-config-work';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { DraftTurns } from './draft-turns';

/** What the routes of drafts work with. */
export interface DraftDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  configChecker: ConfigChecker;
  configWork: Pick<ConfigWork, 'run'>;
  draftTurns: DraftTurns;
  authenticate: Authenticate<Principal>;
}
