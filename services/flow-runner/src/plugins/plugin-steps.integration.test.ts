import type { ConfigDocument, PluginCapabilities, Step } from '@sluice/contracts';
import type { RecordRow } from '@sluice/ports';
import { emptyPluginState, FunctionPlatformTwin } from '@sluice/ports/testing';
import { eventually, startDestination, type TestDestination } from '@sluice/testkit';
import { labConnector, runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const organizationId = '22222222-2222-4222-8222-222222222222';
const name = { organizationId, pluginId: 'p', developerId: null };
/** A handler that does what the event says. */
const code = `exports.handler = async (given) => {
  console.log('ran ' + given.payload.n);
  const answer = given.payload.answer;
  if (answer === 'throw') throw new Error('boom');
  if (answer === 'fetch') return { status: (await fetch(given.payload.url, { headers: given.auth.erp })).status };
  if (answer === 'count') return { store_writes: [{ key: 'n', value: (given.store.n || 0) + 1 }], seen: given.store.n };
  if (answer === 'once') return given.store.n ? { done: true } : { action: 'retry', store_writes: [{ key: 'n', value: 1 }] };
  if (answer === 'requeue') return given.store.n ? {} : { action: 'retry', requeue: true,
    store_writes: [{ key: 'n', value: 1 }] };
  return answer === undefined ? given : answer;
};`;

const step = (capabilities: PluginCapabilities, config: object = { store_keys: ['n'] }, id = 'score'): Step => ({
  id, action: 'plugin',
  plugin: { logical_name: 'score', function_arn: functionArn, version: 1, capabilities, config },
});
const functionArn = new FunctionPlatformTwin().arnOf(name);
const all: PluginCapabilities = { store: ['read', 'write'], auth: ['erp', 'gone'], http: ['127.0.0.1', 'localhost'] };

describe('steps that run plugins', () => {
  let destination: TestDestination;
  let functions: FunctionPlatformTwin;
  let lab: RunnerLab;
  let state: ReturnType<typeof emptyPluginState>;
  let config: ConfigDocument;
  beforeEach(async () => {
    destination = await startDestination();
    functions = new FunctionPlatformTwin();
    await functions.publish(name, code, 'first');
    state = emptyPluginState();
    state.plugins.set('p', { row: { id: 'p', organizationId } } as never);
    state.functions.set(functionArn, { functionArn, ...name, removed: false });
  });
  afterEach(async () => {
    await lab.stop();
    await destination.stop();
  });

  async function start(...steps: Step[]): Promise<void> {
    config = {
      version: '3.0',
      entities: [{ name: 'contact', schemas: { crm: { object_type: 'contacts', identity: { property: 'email' } } } }],
      flows: [{ name: 'scores', source: 'event_api', event_type: 'contact.*', steps }],
      sources: [
        { name: 'event_api', type: 'event_api' },
        { name: 'erp', type: 'rest', config: { base_url: destination.url, credential_name: 'erp',
          default_headers: { 'X-Version': '2' } } },
      ],
      settings: {},
    };
    const credentials = { erp: { type: 'api_key' as const, data: { value: 'k3y-value' } } };
    lab = await runnerLab(config, {}, { credentials, functions, pluginState: state });
    await lab.addRunner();
  }
  const event = (id: string, payload: Record<string, unknown> = {}): LabEvent =>
    ({ id, type: 'contact.changed', payload: { n: 1, ...payload } });
  const ended = async (eventId: string): Promise<RecordRow> => {
    await eventually(() => expect(lab.rows().map(({ unit }) => unit.eventId)).toContain(eventId));
    return lab.rows().find(({ unit }) => unit.eventId === eventId)!;
  };
  const run = async (one: LabEvent): Promise<RecordRow> => {
    await lab.send([one]);
    return ended(one.id);
  };
  const payloadOf = (call: number) => functions.calls[call]!.payload as Record<string, unknown>;

  it('gets the payload of plugins, with store and auth as they are granted', async () => {
    await start(step(all));
    expect(await run(event('evt_1'))).toMatchObject({ status: 'completed', flowName: 'scores' });
    expect(payloadOf(0)).toEqual({
      schema_version: 1, connector_id: labConnector, flow_name: 'scores', source_name: 'event_api', event_type: 'contact.changed',
      external_id: null, payload: { n: 1 }, canonical: null, outputs: {}, item: null, capabilities: all,
      config: { store_keys: ['n'] },
      entities_index: { contact: { name: 'contact', object_type: 'contacts', identity_property: 'email', schemas: ['crm'] } },
      sources_index: {
        event_api: { name: 'event_api', type: 'event_api', config: {} },
        erp: { name: 'erp', type: 'rest', config: { base_url: destination.url, default_headers: { 'X-Version': '2' } } },
      },
      store: { n: null },
      auth: { erp: { 'X-Version': '2', 'X-API-Key': 'k3y-value' }, gone: {} },
    });
    const { origin } = new URL(destination.url);
    expect(functions.calls[0]!.grants).toEqual({ hosts: all.http, secrets: [{ value: 'k3y-value', origin }] });
  });

  it('gets neither store nor auth without the grants, and no secret is in its row', async () => {
    await start(step({}, {}), step(all, {}, 'second'));
    const row = await run(event('evt_1'));
    expect(Object.keys(payloadOf(0))).not.toEqual(expect.arrayContaining(['store']));
    expect(payloadOf(0)).not.toHaveProperty('auth');
    expect(payloadOf(1).outputs).toMatchObject({ score: { schema_version: 1 } });
    expect(JSON.stringify(row.steps)).not.toContain('k3y-value');
  });

  it.each([
    [{ action: 'skip', reason: 'known' }, { status: 'skipped', reason: 'known' }],
    [{ outcome: 'failed', reason: 'closed' }, { status: 'failed', errorCode: 'plugin_refused', error: 'closed',
      replayable: true }],
    ['throw', { status: 'failed', errorKind: 'permanent', errorCode: 'plugin_threw', attempts: 1 }],
    [{ action: 7 }, { status: 'failed', errorCode: 'plugin_response_invalid' }],
    [null, { status: 'completed' }],
  ])('%j ends the record', async (answer, expected) => {
    await start(step(all));
    expect(await run(event('evt_1', { answer }))).toMatchObject(expected);
    expect(state.values.size).toBe(0);
  });

  it('a value that is too long ends the record, and nothing of the response is stored', async () => {
    await start(step(all));
    const store_writes = [{ key: 'short', value: 1 }, { key: 'n', value: 'x'.repeat(65_537) }];
    expect(await run(event('evt_1', { answer: { store_writes } }))).toMatchObject({
      status: 'failed', errorKind: 'permanent', errorCode: 'plugin_store_limit',
    });
    expect(state.values.size).toBe(0);
  });

  it('an event reads what the one before it wrote', async () => {
    await start(step(all), { ...step(all, { store_keys: ['n'] }, 'again') });
    await lab.send(['evt_1', 'evt_2', 'evt_3'].map((id) => event(id, { answer: 'count' })));
    expect((await ended('evt_3')).steps.map(({ output }) => (output as { seen: unknown }).seen)).toEqual([4, 5]);
    expect([...state.values.values()]).toMatchObject([{ connectorId: labConnector, key: 'n', value: 6 }]);
  });

  it('a retry holds back the events of the connector, with what it wrote stored; they run in order then', async () => {
    await start(step(all));
    const other = (id: string): LabEvent => ({ ...event(id, { answer: {} }), record: ['contact', id] });
    await lab.send([event('evt_1', { answer: 'once' })]);
    await eventually(() => expect(functions.calls).toHaveLength(1));
    await lab.send([other('evt_2'), other('evt_3')]);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 2 });
    await ended('evt_3');
    const order = functions.calls.map(({ payload }) => (payload as { payload: { answer: unknown } }).payload.answer);
    expect(order).toEqual(['once', 'once', {}, {}]);
  });

  it('a retry with requeue lets the others go on', async () => {
    await start(step(all));
    await lab.send([event('evt_1', { answer: 'requeue' }), event('evt_2', { answer: {} })]);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 2 });
    const order = functions.calls.map(({ payload }) => (payload as { payload: { answer: unknown } }).payload.answer);
    expect(order).toEqual(['requeue', {}, 'requeue']);
  });

  it('ends parked after its attempts, or in part where an earlier step wrote', async () => {
    await start(step(all));
    expect(await run(event('evt_1', { answer: { action: 'retry', reason: 'later' } }))).toMatchObject({
      status: 'parked', attempts: 5, errorKind: 'transient', errorCode: 'plugin_retry', error: 'later',
    });
  });

  it('waits while the platform is busy, which uses no attempt', async () => {
    await start(step(all));
    const { invoke } = functions;
    let refused = 0;
    functions.invoke = (call) => {
      refused += 1;
      return refused === 1
        ? Promise.resolve({ kind: 'busy', retryAfterMs: 50 })
        : invoke.call(functions, call);
    };
    expect(await run(event('evt_1', { answer: {} }))).toMatchObject({ status: 'completed', attempts: 1 });
    expect(refused).toBe(2);
  });

  it('runs a promoted version from the next event on', async () => {
    await start(step(all));
    await run(event('evt_1', { answer: {} }));
    await functions.publish(name, 'exports.handler = () => ({ second: true });', 'second');
    (config.flows[0]!.steps[0]!.plugin as { version: number }).version = 2;
    await lab.change({ plugins_revision: 1 });
    expect((await run(event('evt_2'))).steps[0]).toMatchObject({ output: { second: true } });
  });

  it('notes each invocation with event and connector', async () => {
    await start(step(all));
    await run(event('evt_1', { answer: {} }));
    await run(event('evt_2', { answer: 'throw' }));
    await eventually(() => expect(state.runs).toMatchObject([
      { outcome: 'ok', connectorId: labConnector, eventId: 'evt_1', version: '1' }, { outcome: 'error', eventId: 'evt_2' },
    ]));
    expect(state.logs).toMatchObject([{ message: 'ran 1', eventId: 'evt_1' }, { message: 'ran 1', eventId: 'evt_2' }]);
  });
});
