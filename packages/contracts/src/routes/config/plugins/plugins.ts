import { defineRoute } from '../../../http/route';
import {
  givenCapabilities, pluginLimits, pluginParams as params, pluginSchema,
} from './plugin-schemas';
import { bodyLimits, deleted, nameText, pageOf, pageQuery } from '../shared';
import { pluginTargets } from '../../../plugins/plugin-states';

const capabilitiesExample = { http: ['*.shop.example'], store: ['read', 'write'] };

export const createPlugin = defineRoute({
  name: 'create_plugin',
  method: 'post',
  path: '/api/plugins',
  tag: 'Plugins',
  auth: 'config',
  audit: { action: 'plugin.create', target: 'plugin' },
  summary: 'Create a plugin; its code is pushed afterwards',
  bodyLimit: bodyLimits.medium,
  body: {
    type: 'object', required: ['name'], additionalProperties: false,
    properties: { name: nameText, capabilities: givenCapabilities },
  } as const,
  answers: { 201: { description: 'Created, as `draft`.', schema: pluginSchema } },
  errors: ['plugin_system_not_allowed', 'plugin_name_taken'],
  examples: [{ title: 'With a store and one API', body: { name: 'price', capabilities: capabilitiesExample } }],
});

export const listPlugins = defineRoute({
  name: 'list_plugins', method: 'get', path: '/api/plugins', tag: 'Plugins', auth: 'config', summary: 'List plugins',
  query: pageQuery,
  answers: { 200: { description: 'Newest first.', schema: pageOf(pluginSchema) } },
  errors: [],
});

export const getPlugin = defineRoute({
  name: 'get_plugin', method: 'get', path: '/api/plugins/:plugin_id', tag: 'Plugins', auth: 'config', summary: 'Read a plugin',
  params,
  answers: { 200: { description: 'The plugin.', schema: pluginSchema } },
  errors: ['plugin_not_found'],
});

export const updatePlugin = defineRoute({
  name: 'update_plugin',
  method: 'patch',
  path: '/api/plugins/:plugin_id',
  tag: 'Plugins',
  auth: 'config',
  audit: { action: 'plugin.update', target: 'plugin', param: 'plugin_id' },
  summary: 'Change name or capabilities',
  description: 'Capabilities are replaced as a whole. They apply to a connector at its next publish, or with the plugin\'s next '
    + 'promotion; code that was pushed is not checked against them again. Configs name a plugin by its name.',
  params,
  bodyLimit: bodyLimits.medium,
  body: {
    type: 'object', additionalProperties: false, minProperties: 1,
    properties: { name: nameText, capabilities: givenCapabilities },
  } as const,
  answers: { 200: { description: 'The changed plugin.', schema: pluginSchema } },
  errors: ['plugin_not_found', 'plugin_name_taken'],
  examples: [{ title: 'Other capabilities', body: { capabilities: ['http:api.shop.example', 'store:read'] } }],
});

export const deletePlugin = defineRoute({
  name: 'delete_plugin', method: 'delete', path: '/api/plugins/:plugin_id', tag: 'Plugins', auth: 'config',
  audit: { action: 'plugin.delete', target: 'plugin', param: 'plugin_id' },
  summary: 'Delete a plugin with its functions, its store and its logs', params,
  answers: { 204: deleted },
  errors: ['plugin_not_found', 'plugin_in_use'],
});

export const pushPlugin = defineRoute({
  name: 'push_plugin',
  method: 'post',
  path: '/api/plugins/:plugin_id/push',
  tag: 'Plugins',
  auth: 'config',
  audit: { action: 'plugin.push', target: 'plugin', param: 'plugin_id' },
  summary: 'Push code: it is kept, and deployed to the caller\'s own function',
  description: 'The bundle is one CommonJS file with a `handler` export. It is read before it is kept: what uses something that is '
    + 'not granted is refused with `plugin_capability_violation` and its `findings`, and what was there stays. The deployment '
    + 'goes on after the answer; `status` becomes `dev`, or `error` with `error_message`. An organization key pushes to the '
    + 'function of the user who made the key.',
  params,
  secretFields: ['source_code'],
  form: {
    fields: {
      type: 'object', additionalProperties: false,
      properties: { source_code: { type: 'string', description: 'The source of the bundle, for whoever reads it later.' } },
    },
    fieldBytes: pluginLimits.sourceBytes,
    files: { bundle: { description: 'One CommonJS file.', maxBytes: pluginLimits.bundleBytes, required: true } },
  },
  answers: { 202: { description: 'Kept; the deployment is under way.', schema: pluginSchema } },
  errors: [
    'plugin_system_not_allowed', 'plugin_not_found', 'plugin_capability_violation', 'payload_too_large', 'Malformed form',
    'Unsupported content type',
  ],
});

export const promotePlugin = defineRoute({
  name: 'promote_plugin',
  method: 'post',
  path: '/api/plugins/:plugin_id/promote',
  tag: 'Plugins',
  auth: 'config',
  audit: { action: 'plugin.promote', target: 'plugin', param: 'plugin_id' },
  summary: 'Promote what was pushed last to staging or live',
  description: 'Publishes a new version of the function that the organization shares. A promotion to live also puts it into the '
    + 'active versions of the connectors that use the plugin. `status` names the promotion until it has landed.',
  params,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['target'], additionalProperties: false,
    properties: { target: { type: 'string', enum: [...pluginTargets] } },
  } as const,
  answers: { 202: { description: 'The promotion is under way.', schema: pluginSchema } },
  errors: ['plugin_system_not_allowed', 'plugin_not_found', 'plugin_not_pushed'],
  examples: [{ title: 'To live', body: { target: 'live' } }],
});

/** What was pushed last, as text. */
const pushedText = (part: string, contentType: string) =>
  ({ 200: { description: `The ${part} that was pushed last.`, schema: { type: 'string' }, contentType } }) as const;

export const getPluginSource = defineRoute({
  name: 'get_plugin_source', method: 'get', path: '/api/plugins/:plugin_id/source', tag: 'Plugins', auth: 'owner_or_key',
  summary: 'Read the source that was pushed last', params,
  answers: pushedText('source', 'text/plain; charset=utf-8'),
  errors: ['owner_required', 'plugin_not_found', 'Not Found'],
});

export const getPluginBundle = defineRoute({
  name: 'get_plugin_bundle', method: 'get', path: '/api/plugins/:plugin_id/bundle', tag: 'Plugins', auth: 'owner_or_key',
  summary: 'Read the bundle that was pushed last', params,
  answers: pushedText('bundle', 'text/javascript; charset=utf-8'),
  errors: ['owner_required', 'plugin_not_found', 'Not Found'],
});

