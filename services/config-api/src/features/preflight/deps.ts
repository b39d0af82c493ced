import type { ConfigStore, FunctionPlatform } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { ConfigChecker } from '../../work/create-config-checker';
import type { ConfigWork } from '../../work/create-config-work';
import type { OpenPortal } from '../../provisioning/open-portal';

/** What the preflight works with. */
export interface PreflightDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts' | 'organizations' | 'plugins' | 'sources'>;
  functions: Pick<FunctionPlatform, 'has'>;
  configChecker: ConfigChecker;
  configWork: Pick<ConfigWork, 'run'>;
  openPortal: OpenPortal;
  /** Milliseconds that a preflight may ask a portal. */
  preflightTimeMs: number;
  /** How many records of a connector wait, in the log or held; at most `mostWaiting` of each. */
  countWaiting(connectorId: string): Promise<number>;
  /** Records of a first sync (SLUICE_WRITE_CAP). */
  writeCapLimit: number;
  authenticate: Authenticate<Principal>;
}
