import type { Outcome } from '@sluice/flow-engine';
import { PluginCallsTwin } from '@sluice/ports/testing';
import { runStep } from '../shared/test-support/step-run';

const step = (config: object = {}, capabilities: object = { store: ['read', 'write'] }) => ({
  action: 'plugin',
  plugin: { logical_name: 'score', function_arn: 'arn:score', version: 2, capabilities, config },
});
const run = async (
  given: ReturnType<typeof step>, returns: unknown[] = [{}], payload: unknown = { id: 17, email: 'ada@example.com' },
): Promise<{ outcome: Outcome; plugins: PluginCallsTwin }> => {
  const plugins = new PluginCallsTwin(returns);
  return { outcome: await runStep(given, payload, { ports: { plugins } }), plugins };
};

it('invokes what the publish resolved, with the event and the config; references in the config are resolved', async () => {
  const { plugins } = await run(step({ email: '$.payload.email', deep: { list: ['{$.payload.id}!'] }, rate: 2 }));
  expect(plugins.calls).toEqual([{
    coordinates: { function_arn: 'arn:score', version: 2, capabilities: { store: ['read', 'write'] } },
    storeKeys: [],
    payload: {
      event_type: 't', external_id: null, payload: { id: 17, email: 'ada@example.com' }, canonical: null, outputs: {}, item: null,
      config: { email: 'ada@example.com', deep: { list: ['17!'] }, rate: 2 },
    },
  }]);
});

it('reads the keys that store_keys resolve to, each once; what resolves to nothing names no key', async () => {
  const store_keys = ['$.payload.id', 'fixed', '{$.payload.id}-x', '$.payload.gone', '$.payload', '$.payload.id'];
  const { plugins } = await run(step({ store_keys }));
  expect(plugins.calls[0]!.storeKeys).toEqual(['17', 'fixed', '17-x']);
  expect(plugins.calls[0]!.payload.config).toEqual({ store_keys });
});

it.each<[object, object]>([
  [{ action: 'skip', reason: 'known' }, { kind: 'skip', reason: 'known' }],
  [{ action: 'skip' }, { kind: 'skip', reason: 'skipped by the plugin score' }],
  [{ action: 'retry', reason: 'later' }, { kind: 'retry',
    failure: { code: 'plugin_retry', message: 'later', waitsIn: 'connector' } }],
  [{ action: 'retry', requeue: true }, { kind: 'retry', failure: { kind: 'transient', waitsIn: 'event' } }],
  [{ requeue: true, n: 1 }, { kind: 'done', output: { requeue: true, n: 1 } }],
  [{ outcome: 'failed', reason: 'closed' }, { kind: 'fail',
    failure: { kind: 'permanent', code: 'plugin_refused', message: 'closed' } }],
  [{ action: 'jump' }, { kind: 'fail', failure: { code: 'plugin_response_invalid',
    message: 'score: action is continue, skip, retry' } }],
])('%j ends the step as %j', async (response, expected) => {
  expect((await run(step(), [response])).outcome).toMatchObject(expected);
});

it('writes to the store whatever the response asks for, and nothing when there is too much of it', async () => {
  const store_writes = [{ key: 'tries', value: 1 }];
  for (const response of [{ store_writes }, { action: 'retry', store_writes }, { action: 'skip', store_writes }])
    expect((await run(step(), [response])).plugins.writes).toEqual([{ functionArn: 'arn:score', key: 'tries', value: 1,
      ttlSeconds: null }]);
  const many = Array.from({ length: 101 }, (_, index) => ({ key: `k${index}`, value: 1 }));
  const { outcome, plugins } = await run(step(), [{ store_writes: many }]);
  expect(outcome).toMatchObject({ kind: 'fail', failure: { kind: 'permanent', code: 'plugin_store_limit' } });
  expect(plugins.writes).toEqual([]);
  expect((await run(step({}, {}), [{ store_writes: many, n: 1 }])).outcome).toMatchObject({ kind: 'done' });
});

it('a step that a publish has not resolved fails for good', async () => {
  const outcome = await runStep({ action: 'plugin', logical_name: 'score' }, {}, { ports: {} });
  expect(outcome).toMatchObject({ kind: 'fail', failure: { code: 'plugin_unresolved' } });
});
