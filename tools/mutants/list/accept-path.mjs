const events = 'services/ingest-api/src/events';
const unit = (pattern) => ({ project: 'unit', pattern: `ingest-api/src/${pattern}` });

export default [
  { name: 'event id: the MAC does not cover the connector', file: `${events}/event-id.ts`, find: "mac(bytes.toString('latin1', 0, macAt) + connectorId)", replace: "mac(bytes.toString('latin1', 0, macAt))", notice: unit('events/event-id') },
  { name: 'event id: a MAC of another key is believed', file: `${events}/event-id.ts`, find: '.subarray(0, macBytes), sealed)', replace: '.subarray(0, 0), sealed.subarray(0, 0))', notice: unit('events/event-id') },
  { name: 'event id: a long key loses its end', file: `${events}/mac.ts`, find: 'if (secret.length > blockBytes) throw', replace: 'if (secret.length > 2 * blockBytes) throw', notice: unit('events/mac') },
  { name: 'body: a chunked one has no limit', file: 'packages/service-kit/src/http/read-body.ts', find: 'if (size > limit) fail', replace: 'if (size > limit && request.headers[\'content-length\']) fail', notice: { project: 'unit', pattern: 'service-kit/src/http/read-body' } },
  { name: 'body: one byte over the limit passes', file: 'packages/service-kit/src/http/read-body.ts', find: 'if (size > limit) fail', replace: 'if (size > limit + 1) fail', notice: { project: 'unit', pattern: 'service-kit/src/http/read-body' } },
  { name: 'body: a compressed one may become as large as it likes', file: 'packages/service-kit/src/http/read-body.ts', find: '{ maxOutputLength: allowed }', replace: '{ maxOutputLength: 2 ** 30 }', notice: { project: 'unit', pattern: 'service-kit/src/http/read-body' } },
];
