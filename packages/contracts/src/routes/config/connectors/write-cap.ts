import { defineRoute } from '../../../http/route';
import { readConnectorSchema } from './connector-schema';
import { connectorParams } from '../shared';

export const releaseWriteCap = defineRoute({
  name: 'release_write_cap',
  method: 'post',
  path: '/api/connectors/:connector_id/write-cap/release',
  tag: 'Monitoring',
  auth: 'owner',
  audit: { action: 'connector.release_write_cap', target: 'connector', param: 'connector_id' },
  summary: 'Release the write cap of a first sync: the events that wait are sent, then the connector opens again',
  description: [
    'The events run in the order in which they were accepted, without a cap. Once the last one was sent (`settling`), the connector',
    'opens again after `SLUICE_CAP_SETTLING`.',
  ].join(' '),
  params: connectorParams,
  answers: { 202: { description: 'The connector, with `write_cap.state` `releasing`.', schema: readConnectorSchema } },
  errors: ['connector_not_found', 'write_cap_not_tripped'],
});
