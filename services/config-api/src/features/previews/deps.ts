import type { ConfigStore, FunctionPlatform } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { OpenPortal } from '../../provisioning/open-portal';
import type { ConfigWork } from '../../work/create-config-work';

/** What the routes that preview a publish need. */
export interface PreviewDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts' | 'organizations' | 'plugins'>;
  functions: Pick<FunctionPlatform, 'has'>;
  configWork: Pick<ConfigWork, 'run'>;
  openPortal: OpenPortal;
  authenticate: Authenticate<Principal>;
}
