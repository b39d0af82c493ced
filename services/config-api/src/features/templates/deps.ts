import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { CreateConnectorDeps } from '../connectors/create-connector';

/** What the routes of templates work with. */
export interface TemplateDeps extends CreateConnectorDeps {
  store: Pick<ConfigStore, 'connectors' | 'organizations'>;
  authenticate: Authenticate<Principal>;
}
