import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../auth/principal';

/** What a route needs to know who calls. */
export interface RouteDeps {
  authenticate: Authenticate<Principal>;
}

/** What a route about a connector needs to find it. */
export interface ConnectorRouteDeps extends RouteDeps {
  store: Pick<ConfigStore, 'connectors'>;
}

/** What a route of the operator needs. */
export interface OperatorRouteDeps {
  authenticateOperator: Authenticate<null>;
}
