/** Billing, agreements, and the CRM install from its marketplace. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Billing',
      rules: [
        ['`POST /api/v1/billing/checkout` `{tier, interval}`: 201 with the order; 409 `already_on_plan`; 422 at `tier`', null],
        ['`POST /api/v1/billing/change-preview` changes nothing', null],
        ['`POST /api/v1/billing/portal`: 200 `{url}`', null],
        ['`GET /api/v1/billing/details`, `PUT /api/v1/billing/details`', null],
        ['`POST /api/v1/billing/orders/{order_id}/confirm`: 409 `order_not_paid`; again changes nothing', null],
        ['`GET /api/v1/billing/agreements`, `POST /api/v1/billing/agreements/{agreement_id}/accept`: a session (`user_session_required`)', null],
        ['`POST /api/v1/billing/stripe/webhook`: signed within 300 s, taken once, never older over newer', null],
        ['`SLUICE_BILLING` is `local`, where changes apply at once, or `stripe`', null],
        ['Stripe down: 502 `billing_unavailable`, nothing changed', null],
        ['Organization key 403 `user_auth_required`, member 403 `owner_required`', null],
        ['After the trial (`SLUICE_TRIAL_LENGTH`) or a cancelled subscription: `free`, nothing is deleted', null],
        ['Agreed limits replace those of the plan in `GET /api/v1/billing/me`; null is unlimited', null],
        ['`trial_blocked_reason` is `trial_already_used` where the trial of the address or mail domain was used', null],
      ],
    },
    {
      title: 'CRM install',
      rules: [
        ['`GET /api/v1/auth/crm/callback`: 302 with the install token; 400 `crm_install_failed`; 502 when the CRM is down', null],
        ['`POST /api/v1/auth/crm/install/{token}/attach`: 201 with the credential and `connector_id`; 403 `user_session_required` with a key', null],
        ['404 `install_not_found`; 410 `install_consumed`, `install_expired` (`SLUICE_INSTALL_TTL`); a refusal does not use it up', null],
        ['402 `portal_limit_reached`, 409 `rebind_confirmation_required` with `confirm_rebind`', null],
      ],
    },
  ],
};
