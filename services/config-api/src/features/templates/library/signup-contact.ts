import { entity, eventApi, onto, options, own, type Template, upsert } from '../template';

/** People who sign up for an application become contacts. */
export const signupContact: Template = {
  id: 'signup-contact',
  name: 'Sign-up to contact',
  description:
    'Send user.signed_up and user.updated: the user becomes a contact (unique by e-mail) with the plan chosen. Users with ' +
    '`internal: true` are left out.',
  config: {
    version: '3.0',
    entities: [
      entity('user', 'contacts', 'email', [
        onto('$.payload.email', 'email', 'normalize_email'),
        onto('$.payload.full_name', 'firstname', 'trim', { name: 'split', args: { sep: ' ', index: 0 } }),
        onto('$.payload.full_name', 'lastname', 'trim', { name: 'split', args: { sep: ' ', index: 1, default: '' } }),
        onto('$.payload.company', 'company', 'trim'),
        own('$.payload.id', 'app_user_id', 'App user id', { transform: ['to_string'] }),
        own('$.payload.plan', 'app_plan', 'App plan', options('free', 'team', 'business')),
        own('$.payload.signed_up_at', 'app_signed_up_on', 'App sign-up date', {
          crm_type: 'date',
          crm_field_type: 'date',
          transform: ['to_date'],
        }),
      ]),
    ],
    flows: [
      {
        name: 'users',
        source: 'event_api',
        event_type: 'user.*',
        steps: [
          {
            id: 'internal',
            action: 'skip',
            when: { equals: { path: '$.payload.internal', value: true } },
            reason: 'an internal user',
          },
          upsert('contact', 'user'),
        ],
      },
    ],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'user.signed_up',
      recordKey: 'u-77',
      data: {
        id: 77,
        email: 'grace@app.example',
        full_name: 'Grace Hopper',
        company: 'Fleet',
        plan: 'team',
        signed_up_at: '2026-02-14T10:00:00Z',
      },
    },
    { event: 'user.updated', recordKey: 'u-77', data: { id: 77, email: 'grace@app.example', plan: 'business' } },
  ],
};
