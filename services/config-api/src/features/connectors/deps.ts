import type { BreakerStore, ConfigStore, Logger } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';
import type { OpenPortal } from '../../provisioning/open-portal';
import type { ConfigWork } from '../../work/create-config-work';

/** What the routes of connectors and their keys work with. */
export interface ConnectorDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'drafts' | 'plugins'>;
  breakers: Pick<BreakerStore, 'ofConnectors' | 'retry' | 'closeAll'>;
  /** SLUICE_BREAKER_HEALTHY_RESET in milliseconds. */
  breakerHealthyResetMs: number;
  creationLimit: CreationLimit;
  configWork: Pick<ConfigWork, 'run'>;
  /** To provision a portal that a connector was bound to. */
  openPortal: OpenPortal;
  logger: Logger;
  authenticate: Authenticate<Principal>;
}
