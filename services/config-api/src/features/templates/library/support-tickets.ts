import { associate, entity, eventApi, onto, own, personEntity, type Template, upsert } from '../template';

const requester = upsert('requester', 'requester');
const ticket = upsert('ticket', 'ticket');

/** Tickets of a help desk, with the people who opened them. */
export const supportTickets: Template = {
  id: 'support-tickets',
  name: 'Support tickets',
  description:
    'Send ticket.created and ticket.updated of a help desk: the requester becomes a contact (unique by e-mail), the ticket a ticket ' +
    '(unique by its id in the help desk) of that contact, with stage and priority.',
  config: {
    version: '3.0',
    entities: [
      personEntity('requester', '$.payload.requester', onto('$.payload.name', 'firstname', 'trim')),
      entity(
        'ticket',
        'tickets',
        'helpdesk_ticket_id',
        [
          own('$.payload.id', 'helpdesk_ticket_id', 'Help desk ticket id', { transform: ['to_string'] }),
          onto('$.payload.subject', 'subject', 'trim'),
          onto('$.payload.description', 'content', 'strip_html', { name: 'truncate', args: { length: 5000, suffix: '...' } }),
          onto('$.payload.status', 'hs_pipeline_stage', {
            name: 'map_values',
            args: { values: { open: '1', pending: '2', on_hold: '3', solved: '4' } },
          }),
          onto('$.payload.priority', 'hs_ticket_priority', 'uppercase'),
          own('$.payload.url', 'helpdesk_url', 'Help desk link'),
        ],
        { payload_root: '$.payload.ticket' },
      ),
    ],
    flows: [
      {
        name: 'tickets',
        source: 'event_api',
        event_type: 'ticket.*',
        steps: [requester, ticket, associate('opened_by', ticket, requester)],
      },
    ],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'ticket.created',
      recordKey: 'T-9',
      data: {
        requester: { email: 'alan@help.example', name: 'Alan' },
        ticket: {
          id: 9,
          subject: 'Cannot sign in',
          description: '<p>It says <b>wrong</b>.</p>',
          status: 'open',
          priority: 'high',
          url: 'https://help.example/tickets/9',
        },
      },
    },
    {
      event: 'ticket.updated',
      recordKey: 'T-9',
      data: { requester: { email: 'alan@help.example' }, ticket: { id: 9, status: 'solved' } },
    },
  ],
};
