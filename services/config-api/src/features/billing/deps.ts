import type { BillingProvider, ConfigStore, EventIndex } from '@sluice/ports';
import type { Authenticators } from '../../auth/create-authenticate';
import type { WithPublicUrl } from '../../http/with-public-url';

/** What the routes of plans, orders and invoices work with. */
export interface BillingDeps extends WithPublicUrl, Pick<Authenticators, 'authenticate'> {
  store: Pick<ConfigStore, 'billing' | 'organizations'>;
  billing: BillingProvider;
  eventIndex: Pick<EventIndex, 'acceptedSince'>;
}
