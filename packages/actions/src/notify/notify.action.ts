import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';

const configSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { ...urlField, description: "The whole URL; with target the path below the destination's base_url." },
    target: restTargetField,
    message: { type: 'string', 'x-resolve': 'template', description: 'Text of the notification.' },
    data: { 'x-resolve': 'template', description: 'Anything the receiver should know.' },
    headers: headersField,
  },
} as const satisfies StepFieldsSchema;

const urlFitsTarget: StepCheck = ({ step: { url, target } }) => {
  if (target !== undefined || typeof url !== 'string' || /^https?:\/\/[^/{]/i.test(url)) return [];
  const msg = 'url of notify without target must be a whole http or https URL';
  return [{ path: ['url'], type: 'value_error', msg, input: url }];
};

/** Tells a webhook, best effort (docs/reference/steps-and-actions.md, post, notify). */
export const notify = describeAction(configSchema)({
  name: 'notify',
  title: 'Notify',
  description: 'Calls a webhook, best effort: a failure never fails the flow.',
  category: 'external',
  min_version: '3.0',
  required_checks: [{ fields: ['url'], message: 'notify requires url', mode: 'all', equals: null }],
  limits: [{ id: 'timeout', text: 'The receiver has 5 seconds.' }],
  checks: [urlFitsTarget],
  examples: [
    {
      title: 'A chat message about a large order',
      config: { url: 'https://chat.example.com/hooks/sales', message: 'Order {$.payload.id} over {$.payload.total}' },
      given: { entities: [], payload: { id: 17, total: 12000 } },
    },
    {
      title: 'Through a destination that has credentials',
      config: { target: 'erp', url: '/events', data: { order: '$.payload.id' }, headers: { 'X-Kind': 'order' } },
      given: { entities: [], payload: { id: 17 } },
    },
  ],
});
