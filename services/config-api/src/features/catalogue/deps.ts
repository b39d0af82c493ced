import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of the catalogue work with. */
export interface CatalogueDeps {
  authenticate: Authenticate<Principal>;
}
