/** Billing, agreements, and the CRM install from its marketplace. */
const features = 'services/config-api/src/features';

const tests = {
  install: `${features}/crm-install/crm-install.integration.test.ts`,
  'config store, installs': 'packages/ports/src/testing/config-store/config-store-install-tests.ts',
  billing: `${features}/billing/billing.integration.test.ts`,
  stripe: `${features}/billing/stripe.integration.test.ts`,
  'stripe billing': 'packages/adapters/billing-stripe/src/stripe-billing.integration.test.ts',
  verification: `${features}/accounts/verification.integration.test.ts`,
  'config store, billing': 'packages/ports/src/testing/config-store/config-store-billing-tests.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Billing',
      rules: [
        ['`POST /api/v1/billing/checkout` `{tier, interval}`: 201 with the order; 409 `already_on_plan`; 422 at `tier`', 'billing counts at once where nobody takes money, for the limits and the connectors'],
        ['`POST /api/v1/billing/change-preview` changes nothing', 'billing a preview says what a plan costs and which limits would be exceeded, and changes nothing'],
        ['`POST /api/v1/billing/portal`: 200 `{url}`', 'billing the page of the customer is an address'],
        ['`GET /api/v1/billing/details`, `PUT /api/v1/billing/details`', 'billing are empty at first, and replaced as a whole; the provider hears of them'],
        ['`POST /api/v1/billing/orders/{order_id}/confirm`: 409 `order_not_paid`; again changes nothing', 'billing that is to be paid counts once it is; confirming it again changes nothing'],
        ['`GET /api/v1/billing/agreements`, `POST /api/v1/billing/agreements/{agreement_id}/accept`: a session (`user_session_required`)', 'billing agreements are accepted by owners, once for each version'],
        ['`POST /api/v1/billing/stripe/webhook`: signed within 300 s, taken once', 'stripe is taken once, by its id'],
        ['Never an older event over a newer one, whatever order they come in', 'stripe that is older is not put over a newer one, whatever order they come in'],
        ['400 `Invalid signature` unless it is signed within 300 s', 'stripe is refused without a signature of the secret that is not older than 300 seconds'],
        ['`checkout.session.completed`, `customer.subscription.updated`, `customer.subscription.deleted`; the tier by the price id', 'stripe of a customer is known by his id alone, once he has paid'],
        ['Stripe: `free` ends the subscription with its period', 'stripe a subscription is changed and ended without another page; what was paid for stays until its end'],
        ['Stripe\'s customer follows the details', 'stripe the customer hears of the details, also of those that were given before he was one'],
        ['Stripe gets an `Idempotency-Key` with each POST; `client_reference_id` is the organization', 'stripe billing a first order is paid on a page of the organization\'s own, under the id of the order'],
        ['`SLUICE_BILLING` is `local`, where changes apply at once, or `stripe`', 'stripe a plan is ordered on Stripe\'s page, and counts once Stripe says that it is paid'],
        ['Stripe down: 502 `billing_unavailable`, nothing changed', 'stripe orders are refused and change nothing; events are taken'],
        ['Organization key 403 `user_auth_required`, member 403 `owner_required`', 'billing plans are the business of signed-in owners; keys read the plan'],
        ['After the trial (`SLUICE_TRIAL_LENGTH`) or a cancelled subscription: `free`, nothing is deleted', 'billing of free ends the subscription: nothing is deleted, and nothing more can be added'],
        ['An order and the tier of an operator: the later one counts', 'billing and the tier of an operator: the later one counts, agreed limits stay'],
        ['Of two orders of one plan at the same moment one is refused', 'config store, billing the present plan is refused, also to one of two orders at the same moment'],
        ['Agreed limits replace those of the plan in `GET /api/v1/billing/me`; null is unlimited', 'billing and the tier of an operator: the later one counts, agreed limits stay'],
        ['`trial_blocked_reason` is `trial_already_used` where the trial of the address or mail domain was used', 'verification the trial of a mail domain is decided with the verification'],
      ],
    },
    {
      title: 'CRM install',
      rules: [
        ['`GET /api/v1/auth/crm/callback`: 302 with the install token; 400 `crm_install_failed`; 502 when the CRM is down', 'install refuses a code that the CRM refuses, one that was used, and an install that was declined'],
        ['The redirect begins with `SLUICE_PUBLIC_URL`, whatever the host of the request', 'install exchanges the code, and sends the person to the product with a token, whatever the host of the request'],
        ['502 `crm_unavailable` while the CRM is down', 'install answers 502 while the CRM is down'],
        ['The simulator has the authorize page', 'install the authorize page of the simulator leads there'],
        ['`POST /api/v1/auth/crm/install/{token}/attach`: 201 with the credential and `connector_id`; 403 `user_session_required` with a key', 'install needs a session; any member may'],
        ['404 `install_not_found`; 410 `install_consumed`, `install_expired` (`SLUICE_INSTALL_TTL`); a refusal does not use it up', 'install a refusal leaves the install good: the plan is full, the connector unknown, a rebind not confirmed'],
        ['Of two at the same moment one wins', 'config store, installs are taken once, by one of two at the same moment'],
        ['Reauthorization: a portal that is connected needs no place in the plan and no confirmation', 'install again for a portal whose scopes were missing needs no confirmation and no place in the plan'],
        ['402 `portal_limit_reached`, 409 `rebind_confirmation_required` with `confirm_rebind`', 'install a refusal leaves the install good: the plan is full, the connector unknown, a rebind not confirmed'],
      ],
    },
  ],
};
