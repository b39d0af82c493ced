import type { BreakerStore, ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';
import type { ReprovisionDeps } from '../../provisioning/reprovision';

/** What the routes of connectors and their keys work with. */
export interface ConnectorDeps extends WithPublicUrl, ReprovisionDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts' | 'plugins' | 'sources'>;
  breakers: Pick<BreakerStore, 'ofConnectors' | 'retry' | 'closeAll'>;
  /** SLUICE_BREAKER_HEALTHY_RESET in milliseconds. */
  breakerHealthyResetMs: number;
  creationLimit: CreationLimit;
  authenticate: Authenticate<Principal>;
}
