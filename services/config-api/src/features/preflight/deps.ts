import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigChecker } from '../../check/create-config-checker';
import type { OpenPortal } from '../../provisioning/open-portal';

/** What the preflight works with. */
export interface PreflightDeps {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts' | 'organizations'>;
  configChecker: ConfigChecker;
  openPortal: OpenPortal;
  /** Milliseconds that a preflight may ask a portal. */
  preflightTimeMs: number;
  authenticate: Authenticate<Principal>;
}
