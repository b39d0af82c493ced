import { authoredPlugin, type PluginCoordinates } from '@sluice/contracts';
import { done, failed, type FlowContext, type Outcome, permanent, skip, textOf } from '@sluice/flow-engine';
import type { PluginCalls } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { savedLimit } from '../shared/shared-limits';
import { type PluginResponse, readPluginResponse } from './plugin-response';

const configSchema = {
  type: 'object',
  properties: {
    plugin: {
      type: 'object',
      additionalProperties: false,
      description: 'The plugin and its config. A publish adds the fields that its resolution gives.',
      properties: {
        logical_name: { type: 'string', minLength: 1, description: 'Name of the plugin.' },
        config: { type: 'object', 'x-resolve': 'template', description: 'Config of the plugin; values may hold references.' },
        function_arn: { type: 'string', description: 'Set at publish: the function that is called.' },
        version: { type: ['integer', 'string', 'null'], description: 'Set at publish: version of the function.' },
        capabilities: { type: 'object', description: 'Set at publish: what the plugin may use.' },
      },
    },
    logical_name: { type: 'string', minLength: 1, description: 'Short form of plugin.logical_name.' },
    config: { type: 'object', 'x-resolve': 'template', description: 'Short form of plugin.config.' },
  },
} as const satisfies StepFieldsSchema;

/** Runs custom code (docs/reference/steps-and-actions.md, plugin). */
export const plugin = defineAction(configSchema)({
  name: 'plugin',
  title: 'Plugin',
  description: 'Runs a plugin; its result is the output of the step. It never writes to the CRM itself.',
  category: 'logic',
  min_version: '3.0',
  effect: 'read',
  uses: ['plugins'],
  on_repeat: 'Runs the handler again, until something was written outside: then its first response counts.',
  repeat: 'kept',
  required_checks: [
    { fields: ['plugin', 'logical_name'], message: 'plugin requires logical_name', mode: 'any', equals: null },
    { fields: ['plugin', 'plugin.logical_name'], message: 'plugin requires logical_name', mode: 'requires', equals: null },
  ],
  limits: [
    savedLimit('logical_name', 128, 'in logical_name', { unit: 'characters', fields: ['logical_name', 'plugin.logical_name'] }),
  ],
  rules: [],
  examples: [
    {
      title: 'A score of the customer',
      config: published('score', { email: '$.payload.email' }),
      given: { entities: [], payload: { email: 'ada@example.com' }, returns: [{ score: 7 }] },
      expect: { kind: 'done', output: { score: 7 } },
    },
    {
      title: 'What the plugin tells to leave alone',
      config: published('tax-code', { country: '{$.payload.country}' }),
      given: { entities: [], payload: { country: 'AT' }, returns: [{ action: 'skip', reason: 'no tax in AT' }] },
      expect: { kind: 'skip', reason: 'no tax in AT' },
    },
    {
      title: 'The target of the plugin refused the record',
      config: published('book', {}),
      given: { entities: [], payload: {}, returns: [{ outcome: 'failed', reason: 'the account is closed' }] },
      expect: { kind: 'fail', code: 'plugin_refused' },
    },
  ],
  // What a handler finds out or changes outside is not known from the event.
  touches: () => null,
  run: async ({ config, authored, ctx, ports: { plugins } }) => {
    const coordinates = coordinatesOf(config.plugin);
    const written = authoredPlugin(authored);
    if (!coordinates || !written) return permanent('plugin_unresolved', 'plugin: the step names no function');
    const resolved = (config.plugin?.config ?? config.config ?? {}) as Record<string, unknown>;
    const answer = await plugins.invoke({
      coordinates, storeKeys: storeKeysOf(resolved.store_keys), payload: payloadOf(ctx, resolved, written.config),
    });
    if (!answer.ok) return failed(answer);
    const read = readPluginResponse(answer.value, coordinates.capabilities.store?.includes('write') === true);
    if (!read.ok) return permanent('plugin_response_invalid', `${written.logicalName}: ${read.problem}`);
    return concluded(read.response, coordinates, written.logicalName, plugins);
  },
});

type Block = { function_arn?: unknown; version?: unknown; capabilities?: unknown } | undefined;

/** What the publish resolved; null: nothing. */
function coordinatesOf({ function_arn, version, capabilities = {} }: NonNullable<Block> = {}): PluginCoordinates | null {
  if (typeof function_arn !== 'string' || (typeof version !== 'number' && version !== '$LATEST')) return null;
  return { function_arn, version, capabilities: capabilities as PluginCoordinates['capabilities'] };
}

/** References in the config are resolved; `store_keys` stays as it was written, the keys are those of `store`. */
function payloadOf(ctx: FlowContext, resolved: Readonly<Record<string, unknown>>, written: Readonly<Record<string, unknown>>) {
  const { event_type, external_id, payload, canonical, outputs, item = null } = ctx;
  const config = Object.hasOwn(written, 'store_keys') ? { ...resolved, store_keys: written.store_keys } : resolved;
  return { event_type, external_id, payload, canonical: canonical ?? null, outputs, item, config };
}

/** What resolves to nothing, or to no text, names no key. */
function storeKeysOf(keys: unknown): string[] {
  if (!Array.isArray(keys)) return [];
  const texts = keys.flatMap((key: unknown) => (key === null || typeof key === 'object' ? [] : [textOf(key)]));
  return [...new Set(texts.filter((key) => key !== ''))];
}

/** Writes count whatever the response asks for: a plugin that asks for a retry can remember that it did. */
function concluded(
  { action, requeue, isRefused, reason, writes, output }: PluginResponse, { function_arn: functionArn }: PluginCoordinates,
  name: string, plugins: PluginCalls,
): Outcome {
  const over = plugins.store(writes.map((write) => ({ functionArn, ...write })));
  if (over !== null) return permanent('plugin_store_limit', `${name}: ${over}`);
  if (isRefused) {
    const message = reason ?? `${name}: the target refused the record`;
    return failed({ kind: 'permanent', code: 'plugin_refused', message }, { output, wrote: false });
  }
  if (action === 'skip') return skip(reason ?? `skipped by the plugin ${name}`);
  if (action === 'continue') return done(output);
  const message = reason ?? `${name}: the plugin asked for a retry`;
  return failed({ kind: 'transient', code: 'plugin_retry', message, waitsIn: requeue ? 'event' : 'connector' });
}

/** The step as a publish resolved it. */
function published(logical_name: string, config: Record<string, unknown>) {
  return { plugin: { logical_name, function_arn: 'arn:sluice:local:function:org-plugin', version: 3, capabilities: {}, config } };
}
