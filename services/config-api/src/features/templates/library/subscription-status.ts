import { associate, entity, eventApi, number, onto, options, own, personEntity, type Template, upsert } from '../template';

const company = upsert('company', 'account');
const admin = upsert('admin', 'admin', { when: { exists: '$.payload.admin.email' } });

/** What a billing system knows of its subscribers: plan, state, revenue. */
export const subscriptionStatus: Template = {
  id: 'subscription-status',
  name: 'Subscription status',
  description:
    'Send subscription.started, subscription.changed and subscription.cancelled of a billing system: the account becomes a company ' +
    '(unique by its domain) with state, plan and monthly revenue; who administers it becomes a contact of that company.',
  config: {
    version: '3.0',
    entities: [
      entity(
        'account',
        'companies',
        'domain',
        [
          onto('$.payload.website', 'domain', 'normalize_domain'),
          onto('$.payload.name', 'name', 'trim'),
          own('$.payload.status', 'subscription_status', 'Subscription status', {
            ...options('trialing', 'active', 'past_due', 'cancelled'),
            transform: ['lowercase'],
          }),
          own('$.payload.plan', 'subscription_plan', 'Subscription plan'),
          own('$.payload.monthly_cents', 'subscription_monthly_revenue', 'Monthly revenue', {
            ...number,
            transform: ['to_number', { name: 'divide', args: { by: 100 } }],
          }),
          own('$.payload.renews_on', 'subscription_renews_on', 'Subscription renews on', {
            crm_type: 'date',
            crm_field_type: 'date',
            transform: ['to_date'],
          }),
        ],
        { payload_root: '$.payload.account' },
      ),
      personEntity('admin', '$.payload.admin', onto('$.payload.name', 'firstname', 'trim')),
    ],
    flows: [
      {
        name: 'subscriptions',
        source: 'event_api',
        event_type: 'subscription.*',
        steps: [company, admin, associate('administers', admin, company, { when: { exists: '$.payload.admin.email' } })],
      },
    ],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'subscription.started',
      recordKey: 'acme',
      data: {
        account: {
          website: 'https://www.acme.example/pricing',
          name: 'Acme',
          status: 'active',
          plan: 'team-yearly',
          monthly_cents: 4900,
          renews_on: '2027-01-31',
        },
        admin: { email: 'wile@acme.example', name: 'Wile' },
      },
    },
    {
      event: 'subscription.cancelled',
      recordKey: 'acme',
      data: { account: { website: 'acme.example', status: 'Cancelled', monthly_cents: 0, renews_on: null } },
    },
  ],
};
