import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigChecker } from '../../check/create-config-checker';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { DraftTurns } from './draft-turns';

/** What the routes of drafts work with. */
export interface DraftDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  configChecker: ConfigChecker;
  draftTurns: DraftTurns;
  authenticate: Authenticate<Principal>;
}
