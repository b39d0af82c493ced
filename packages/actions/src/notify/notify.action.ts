import { done } from '@sluice/flow-engine';
import type { StepRule } from '../action-definition';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';
import { stepHeaders } from '../shared/step-headers';
import { urlLimit } from '../shared/shared-limits';

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

const urlFitsTarget: StepRule = {
  fields: ['url', 'target'],
  message: 'url of notify without target must be a whole http or https URL',
  find: ({ step: { url, target } }) =>
    target !== undefined || typeof url !== 'string' || /^https?:\/\/[^/{]/i.test(url)
      ? []
      : [{ path: ['url'], type: 'value_error', msg: urlFitsTarget.message, input: url }],
};

/** Tells a webhook, best effort (docs/reference/steps-and-actions.md, notify). */
export const notify = defineAction(configSchema)({
  name: 'notify',
  title: 'Notify',
  description: 'Calls a webhook, best effort: a failure never fails the flow.',
  category: 'external',
  min_version: '3.0',
  effect: 'control',
  uses: ['rest'],
  on_repeat: 'Tells the receiver once per event, also when later steps are tried again.',
  repeat: 'kept',
  required_checks: [{ fields: ['url'], message: 'notify requires url', mode: 'all', equals: null }],
  limits: [
    urlLimit,
    {
      on: 'port', id: 'timeout', call: 'answer', max: 5_000, unit: 'ms', what: 'for the receiver to answer', checked: ['attempt'],
    },
  ],
  rules: [urlFitsTarget],
  examples: [
    {
      title: 'A chat message about a large order',
      config: { url: 'https://chat.example.com/hooks/sales', message: 'Order {$.payload.id} over {$.payload.total}' },
      given: { entities: [], payload: { id: 17, total: 12000 }, answers: [{ status: 204 }] },
      expect: { kind: 'done', output: { delivered: true, status: 204, error: null } },
      requests: [
        {
          target: null,
          method: 'POST',
          url: 'https://chat.example.com/hooks/sales',
          body: { message: 'Order 17 over 12000', data: null },
        },
      ],
    },
    {
      title: 'Through a destination that has credentials',
      config: { target: 'erp', url: '/events', data: { order: '$.payload.id' }, headers: { 'X-Kind': 'order' } },
      given: { entities: [], payload: { id: 17 } },
      expect: { kind: 'done', output: { delivered: true, status: 200 } },
      requests: [{ target: 'erp', url: '/events', headers: { 'X-Kind': 'order' }, body: { message: null, data: { order: 17 } } }],
    },
    {
      title: 'A receiver that fails does not fail the flow',
      config: { url: 'https://chat.example.com/hooks/sales', message: 'now' },
      given: { entities: [], payload: {}, answers: [{ status: 500 }] },
      expect: { kind: 'done', output: { delivered: false, status: 500, error: 'the destination answered 500' } },
    },
  ],
  // Nothing is written, so notifications of different records may be sent in any order.
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config, ctx, stepId, ports: { rest } }) => {
    const { event_id, flow_name, event_type, external_id, connector_id } = ctx;
    const { url, target = null, message = null, data = null } = config;
    const sent_at = new Date(rest.now()).toISOString();
    const body = { connector_id, flow_name, event_id, event_type, external_id, message, data, sent_at };
    const answer = await rest.send({
      target,
      method: 'POST',
      url,
      headers: stepHeaders(config.headers),
      body,
      stepId,
      bestEffort: true,
    });
    return answer.ok
      ? done({ delivered: true, status: answer.value.status, error: null })
      : done({ delivered: false, status: answer.status ?? null, error: answer.message });
  },
});
