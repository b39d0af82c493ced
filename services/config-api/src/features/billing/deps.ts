import type { BillingProvider, ConfigStore } from '@sluice/ports';
import type { Authenticators } from '../../auth/create-authenticate';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { PlanUsageDeps } from '../../plan/plan-usage';

/** What the routes of plans, orders and invoices work with. */
export interface BillingDeps extends WithPublicUrl, Pick<Authenticators, 'authenticate'>, Pick<PlanUsageDeps, 'eventIndex' | 'quota'> {
  store: Pick<ConfigStore, 'billing' | 'organizations'>;
  billing: BillingProvider;
}
