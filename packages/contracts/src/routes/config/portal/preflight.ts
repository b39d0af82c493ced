import { defineRoute } from '../../../http/route';
import { connectorParams, findingSchema, idText } from '../shared';

const findings = { type: 'array', items: findingSchema } as const;

export const preflightDraft = defineRoute({
  name: 'preflight_draft',
  method: 'get',
  path: '/api/connectors/:connector_id/preflight',
  tag: 'Draft and publish',
  auth: 'config',
  summary: 'List problems that a publish of the draft, and its flows afterwards, would have; change nothing',
  description:
    'Checks the draft, the scopes of the credential, what the portal defines and the records it holds. A publish does not ' +
    'read the answer. A check that a slow or failing portal prevents is a finding whose code ends in `_not_checked`; the answer is ' +
    '200 all the same, within `SLUICE_PREFLIGHT_TIME`.',
  params: connectorParams,
  query: {
    type: 'object',
    additionalProperties: false,
    properties: {
      credential_id: { ...idText, description: 'Another CRM credential of the organization, in place of the bound portal.' },
    },
  } as const,
  answers: {
    200: {
      description: 'The findings by severity.',
      schema: {
        type: 'object', required: ['errors', 'warnings', 'infos'], additionalProperties: false,
        properties: { errors: findings, warnings: findings, infos: findings },
      },
    },
  },
  errors: ['connector_not_found', 'Credential not found', 'credential_not_crm_oauth'],
});
