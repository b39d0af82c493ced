import { maxWidth } from '../../../events/lane';
import { defineRoute } from '../../../http/route';
import { bodyLimits, idText, nullableTimestamp, uuid } from '../shared';

export const raiseConnectorWidth = defineRoute({
  name: 'raise_connector_width',
  method: 'put',
  path: '/operator/connectors/:connector_id/width',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'connector.widen', target: 'connector', param: 'connector_id' },
  summary: 'Spread the records of a hot connector over more partitions',
  description: [
    'Records keep their order: an event of the new width starts once all older events of the connector have ended or stepped aside.',
    'The new width counts from `effective_at` on. A width is never lowered. The present width changes nothing, and is how it is read.',
  ].join(' '),
  params: { type: 'object', required: ['connector_id'], properties: { connector_id: idText } },
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', additionalProperties: false, required: ['width'],
    properties: {
      width: { type: 'integer', minimum: 1, maximum: maxWidth,
        description: 'Partitions; more than the topic has are the same as all.' },
    },
  } as const,
  answers: {
    200: {
      description: 'The width of the connector.',
      schema: {
        type: 'object', additionalProperties: false, required: ['connector_id', 'width', 'width_before', 'effective_at'],
        properties: {
          connector_id: uuid, width: { type: 'integer' },
          width_before: { type: 'integer', description: 'Before the last raise.' },
          effective_at: { ...nullableTimestamp, description: 'When the last raise begins or began; null: it was never raised.' },
        },
      },
    },
  },
  errors: ['connector_not_found', 'connector_width_change_pending'],
});
