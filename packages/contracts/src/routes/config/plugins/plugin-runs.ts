import { metricRanges } from '../../../plugins/plugin-run';
import { pluginQualifiers } from '../../../plugins/plugin-states';
import { defineRoute } from '../../../http/route';
import { functionVersion, hookSchema, logLevel, logLineSchema, pluginParams as params } from './plugin-schemas';
import { bodyLimits, idText, nullableText, pageOf, pageQuery, timestamp } from '../shared';

const whole = { type: 'integer', minimum: 0 } as const;
const amount = { type: 'number', minimum: 0 } as const;

export const invokePlugin = defineRoute({
  name: 'invoke_plugin',
  method: 'post',
  path: '/api/plugins/:plugin_id/invoke',
  tag: 'Plugins',
  auth: 'config',
  audit: null,
  summary: 'Run a plugin by hand',
  description: 'The handler gets exactly `payload`. Its answer has no effect: `store_writes` are applied nowhere. `dev` is the '
    + 'caller\'s own function, `staging` and `live` are the promoted versions. A handler that throws, or is over a bound, gives an '
    + 'answer with `error` in place of `output`.',
  params,
  bodyLimit: 10 * 1024 * 1024,
  body: {
    type: 'object', additionalProperties: false,
    properties: {
      payload: { description: 'Any JSON.', default: {} },
      qualifier: { type: 'string', enum: [...pluginQualifiers], default: 'dev' },
    },
  } as const,
  answers: {
    200: {
      description: 'The handler ran.',
      schema: {
        type: 'object', required: ['logs', 'duration_ms', 'memory_mb', 'version'], additionalProperties: false,
        properties: {
          output: { description: 'What the handler returned; null where it returned nothing.' },
          error: { type: 'string', description: 'Why it failed, in place of `output`.' },
          logs: { type: 'array', items: logLineSchema }, duration_ms: amount, memory_mb: amount, version: functionVersion,
        },
      },
    },
  },
  errors: ['plugin_not_found', 'plugin_not_deployed', 'service_unavailable'],
  examples: [{ title: 'One customer', body: { payload: { payload: { email: 'ada@example.com' } }, qualifier: 'dev' } }],
});

export const getPluginLogs = defineRoute({
  name: 'get_plugin_logs', method: 'get', path: '/api/plugins/:plugin_id/logs', tag: 'Plugins', auth: 'config',
  summary: 'What a plugin logged', params,
  query: {
    type: 'object', additionalProperties: false,
    properties: {
      since: { ...timestamp, description: 'Lines of this time and later.' }, level: logLevel,
      limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
      cursor: { type: 'string', maxLength: 200, description: '`next_cursor` of the page before.' },
    },
  },
  answers: {
    200: {
      description: 'Newest first.',
      schema: {
        type: 'object', required: ['items', 'next_cursor'], additionalProperties: false,
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object', required: ['at', 'level', 'message', 'version', 'event_id', 'connector_id'],
              additionalProperties: false,
              properties: {
                at: timestamp, level: logLevel, message: { type: 'string' }, version: functionVersion,
                event_id: { ...nullableText, description: 'null: it was invoked by hand, or by a hook.' },
                connector_id: nullableText,
              },
            },
          },
          next_cursor: { ...nullableText, description: 'null: there is no more.' },
        },
      },
    },
  },
  errors: ['plugin_not_found'],
});

export const getPluginMetrics = defineRoute({
  name: 'get_plugin_metrics', method: 'get', path: '/api/plugins/:plugin_id/metrics', tag: 'Plugins', auth: 'config',
  summary: 'How often a plugin ran, how long and how well', params,
  query: {
    type: 'object', additionalProperties: false,
    properties: { range: { type: 'string', enum: Object.keys(metricRanges), default: '24h' } },
  },
  answers: {
    200: {
      description: 'Counted by the hour: the range begins with the hour in which it starts.',
      schema: {
        type: 'object', required: ['invocations', 'errors', 'retries', 'duration_ms', 'memory_mb'], additionalProperties: false,
        properties: {
          invocations: whole, errors: whole, retries: { ...whole, description: 'Answers with `action` retry.' },
          duration_ms: {
            type: 'object', required: ['p50', 'p95', 'p99'], additionalProperties: false,
            description: 'Percentiles, to within a seventh; 0 for a plugin that never ran.',
            properties: { p50: amount, p95: amount, p99: amount },
          },
          memory_mb: { type: 'object', required: ['max'], additionalProperties: false, properties: { max: amount } },
        },
      },
    },
  },
  errors: ['plugin_not_found'],
});

export const listPluginHooks = defineRoute({
  name: 'list_plugin_hooks', method: 'get', path: '/api/plugins/:plugin_id/lifecycle', tag: 'Plugins', auth: 'config',
  summary: 'Setup and teardown of a plugin on its connectors', params,
  query: {
    ...pageQuery,
    properties: { ...pageQuery.properties, connector_id: { ...idText, description: 'Only those of one connector.' } },
  },
  answers: { 200: { description: 'Newest cycle first.', schema: pageOf(hookSchema) } },
  errors: ['plugin_not_found'],
});

const hookRoute = <const T extends 'setup' | 'teardown'>(hookType: T, summary: string, description: string) => defineRoute({
  name: `${hookType}_plugin`,
  method: 'post',
  path: `/api/plugins/:plugin_id/lifecycle/${hookType}`,
  tag: 'Plugins',
  auth: 'config',
  audit: { action: `plugin.${hookType}`, target: 'plugin', param: 'plugin_id' },
  summary,
  description,
  params,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['connector_id'], additionalProperties: false, properties: { connector_id: idText },
  } as const,
  answers: { 202: { description: 'The hook of the cycle that is in effect.', schema: hookSchema } },
  errors: ['plugin_not_found', 'connector_not_found', 'plugin_not_deployed', 'Not Found'],
});

export const setupPlugin = hookRoute(
  'setup', 'Set a plugin up on a connector',
  'A setup that is pending or has succeeded is answered as it is; a failed one is queued again; after a teardown a new cycle opens.',
);

export const teardownPlugin = hookRoute(
  'teardown', 'Tear a plugin down on a connector',
  'It has the cycle of its setup. 404 where none was ever recorded.',
);
