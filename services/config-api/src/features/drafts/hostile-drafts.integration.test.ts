import { gzipSync } from 'node:zlib';
import { eventually } from '@sluice/testkit';
import { scriptedWorker } from '@sluice/work-threads/test-support';
import { contactConfig } from '../../test-support/contact-config';
import { type Caller, startLab } from '../../test-support/lab';

/** Attacks on the config plane through its routes: each gets a bounded answer and does not affect others. */
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

async function aConnector(caller: Caller) {
  const connector = (await caller.post('/api/connectors', { name: 'Shop', create_api_key: true }).expect(201)).body;
  const path = `/api/connectors/${connector.id}`;
  return {
    id: connector.id as string,
    keyId: connector.api_key.id as string,
    path,
    draft: `${path}/draft`,
    publish: `${path}/publish`,
  };
}

describe('with the real checks', () => {
  let lab: Awaited<ReturnType<typeof startLab>>;
  beforeAll(async () => { lab = await startLab(); });
  afterAll(() => lab.stop());

  test.each<[string, object]>([
    ['flows: [{} x 10,000]', { ...contactConfig, flows: many(10_000, () => ({})) }],
    ['25,000 unknown keys', { ...contactConfig, ...Object.fromEntries(many(25_000, (index) => [`unknown_${index}`, 1])) }],
    [
      '25,000 unknown keys of an entity',
      {
        ...contactConfig,
        entities: [{ ...contactConfig.entities[0], ...Object.fromEntries(many(25_000, (index) => [`unknown_${index}`, 1])) }],
      },
    ],
    ['a key of 900 KB', { ...contactConfig, ['k'.repeat(900_000)]: 1 }],
  ])('%s: 422 with a bounded answer, packed or not', async (_name, config) => {
    const owner = await lab.owner();
    const { draft } = await aConnector(owner);
    const plain = await owner.put(draft, config).expect(422);
    const packed = await owner
      .put(draft)
      .set('content-type', 'application/json')
      .set('content-encoding', 'gzip')
      .serialize((body: unknown) => body as string)
      .send(gzipSync(JSON.stringify(config)) as unknown as object)
      .expect(422);
    for (const { body, text } of [plain, packed]) {
      expect(body.detail.length).toBeGreaterThan(0);
      expect(body.detail.length).toBeLessThanOrEqual(500);
      expect(text.length).toBeLessThan(300_000);
    }
  });

  test('13,000 flows are refused with the limit; as many as it allows are a change of some hundred bytes', async () => {
    const owner = await lab.owner();
    const { id, draft, publish } = await aConnector(owner);
    const flow = (index: number) => ({ name: `f${index}`, source: 'event_api', event_type: `e${index}`, steps: [] });
    expect((await owner.put(draft, { ...contactConfig, flows: many(13_000, flow) }).expect(422)).body.detail).toEqual([
      { type: 'value_error', loc: ['body', 'flows'], msg: "'flows' must have at most 1000 items", input: '[list of 13000]' },
    ]);
    await owner.put(draft, { ...contactConfig, flows: many(1_000, flow) }).expect(200);
    await owner.post(publish).expect(200);
    const change = await eventually(() => {
      const newest = lab.change(id);
      if (newest?.active_version !== 1) throw new Error('the publish has not reached the topic');
      return newest;
    });
    expect(JSON.stringify(change).length).toBeLessThan(1_000);
  });

  test.each(['__proto__', 'constructor', 'prototype'])(
    'the name %s is refused wherever it stands, whole or as a patch',
    async (key) => {
      const owner = await lab.owner();
      const { draft } = await aConnector(owner);
      await owner.put(draft, contactConfig).expect(200);
      const text = `{"settings": {"a": {${JSON.stringify(key)}: {"polluted": true}}}}`;
      const { detail } = (await owner.patch(draft).set('content-type', 'application/json').send(text).expect(422)).body;
      expect(detail).toEqual([
        {
          type: 'reserved_name',
          loc: ['body', 'settings', 'a', key],
          msg: `nothing in a config may be named '${key}'`,
          input: null,
        },
      ]);
      const flows = [{ ...contactConfig.flows[0], name: key }];
      expect((await owner.patch(draft, { flows }).expect(422)).body.detail).toMatchObject([
        { type: 'reserved_name', loc: ['body', 'flows', 0, 'name'] },
      ]);
      expect((await owner.get(draft).expect(200)).body).toMatchObject({ draft_version: 2, config: contactConfig });
    },
  );
});

/** A lab whose threads run `code`, and then find nothing wrong; `shared` is a number that both sides see. */
async function scriptedLab(code: string, env: Record<string, string> = {}) {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const facts = { has_changes: true, direction: null, flow_directions: {}, warnings: [] };
  const checked = { problems: [], findings: [], facts };
  const results = { check_config: checked, required_provisioning: '{"entities":[],"pipelines":[]}' };
  const lab = await startLab(env, undefined, scriptedWorker(`${code}; return ${JSON.stringify(results)}[name];`, shared));
  return { lab, shared };
}
const marked = { ...contactConfig, settings: { note: 'slow' } };

test('a check that takes too long is refused, for a save and for a publish', async () => {
  const { lab } = await scriptedLab('if (input.text.includes("slow")) for (;;)', { SLUICE_CONFIG_CHECK_TIME: '2' });
  try {
    const owner = await lab.owner();
    const { id, draft, publish } = await aConnector(owner);
    expect((await owner.put(draft, marked).expect(422)).body).toMatchObject({ detail: { error: 'config_too_complex' } });
    await owner.put(draft, contactConfig).expect(200);
    await lab.pool.query('UPDATE drafts SET config = $2 WHERE connector_id = $1', [id, JSON.stringify(marked)]);
    expect((await owner.post(publish).expect(422)).body).toMatchObject({ detail: { error: 'config_too_complex' } });
  } finally {
    await lab.stop();
  }
});

test('while one organization\'s document takes long to check, others save and publish', async () => {
  const { lab, shared } = await scriptedLab('while (input.text.includes("slow") && Atomics.load(shared, 0) === 0)', {
    SLUICE_CONFIG_CHECK_TIME: '60',
  });
  try {
    const [slow, other] = [await lab.owner(), await lab.owner()];
    const [theirs, own] = [await aConnector(slow), await aConnector(other)];
    const saves = [1, 2, 3].map(() => slow.put(theirs.draft, marked).then(({ status }) => status));
    await other.put(own.draft, contactConfig).expect(200);
    await other.post(own.publish).expect(200);
    Atomics.store(shared, 0, 1);
    expect(await Promise.all(saves)).toEqual([200, 200, 200]);
  } finally {
    Atomics.store(shared, 0, 1);
    await lab.stop();
  }
});
