import { defineRoute } from '../../../http/route';
import { flowHealth } from './connector-schema';
import { bodyLimits, idText } from '../shared';

const params = {
  type: 'object', required: ['connector_id', 'flow_name'],
  properties: { connector_id: idText, flow_name: { type: 'string', minLength: 1, maxLength: 128 } },
} as const;

export const retryFlow = defineRoute({
  name: 'retry_flow',
  method: 'post',
  path: '/api/connectors/:connector_id/flows/:flow_name/retry',
  tag: 'Monitoring',
  auth: 'config',
  audit: { action: 'flow.retry', target: 'connector', param: 'connector_id', elsewhere: true },
  summary: 'Have a flow that its breaker stopped make its recovery attempt now',
  description: [
    'The oldest event that waits for the flow is the attempt; without one, the next event. When it succeeds the flow goes on, else',
    'it waits for longer. A flow that is not stopped stays as it is.',
  ].join(' '),
  params,
  answers: { 202: { description: 'The health of the flow.', schema: flowHealth } },
  errors: ['connector_not_found', 'Not Found'],
});

export const forceFlowBreaker = defineRoute({
  name: 'force_flow_breaker',
  method: 'put',
  path: '/operator/connectors/:connector_id/flows/:flow_name/breaker',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'flow.force', target: 'connector', param: 'connector_id', elsewhere: true },
  summary: 'Stop a flow, let it go on whatever fails, or leave it to its breaker again',
  description: 'Nothing automatic changes `open` and `closed`, nor does a user; `automatic` ends them.',
  params,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', additionalProperties: false, required: ['state'],
    properties: { state: { type: 'string', enum: ['open', 'closed', 'automatic'] } },
  } as const,
  answers: { 200: { description: 'The health of the flow.', schema: flowHealth } },
  errors: ['connector_not_found'],
});
