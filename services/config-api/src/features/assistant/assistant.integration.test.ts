import { randomUUID } from 'node:crypto';
import { createScriptedModel, until } from '@sluice/ports/testing';
import { createAssistantStore } from '@sluice/store-postgres';
import { contactConfig } from '../../test-support/contact-config';
import { type Caller, startLab } from '../../test-support/lab';

const model = createScriptedModel();
let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
let connectorId: string;
beforeAll(async () => {
  lab = await startLab({ SLUICE_ASSISTANT_TOKENS_PER_MONTH: '100000' }, undefined, undefined, { model });
});
afterAll(() => lab.stop());
beforeEach(async () => {
  owner = await lab.owner();
  connectorId = await newConnector();
  model.requests.length = 0;
});

const newConnector = async (caller: Caller = owner): Promise<string> =>
  (await caller.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body.id;
const path = (rest = '', id = connectorId): string => `/api/connectors/${id}/assistant/sessions${rest}`;
const open = async (caller: Caller = owner): Promise<string> => (await caller.post(path()).expect(201)).body.id;
interface Told {
  id: string;
  event: string;
  data: any;
}
/** The events of a stream that has ended. */
const eventsOf = (text: string): Told[] => text.split('\n\n').filter((block) => block.includes('event: ')).map((block) => {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
});
const say = async (session: string, content: string, caller: Pick<Caller, 'post'> = owner): Promise<Told[]> =>
  eventsOf((await caller.post(path(`/${session}/messages`), { content }).expect(200)).text);
const kinds = (events: readonly Told[]): string[] => events.map(({ event }) => event);
const session = async (id: string) => (await owner.get(path(`/${id}`)).expect(200)).body;
const draft = async () => (await owner.get(`/api/connectors/${connectorId}/draft`).expect(200)).body;

it('a message is answered with events; the session keeps what was said', async () => {
  const { body } = await owner.post(path()).expect(201);
  expect(body).toEqual({ id: expect.any(String), status: 'open' });
  model.play({ text: ['Hello', ' there.'] });
  const events = await say(body.id, 'Hi');
  expect(events.filter(({ event }) => event === 'text').map(({ data }) => data.text).join('')).toBe('Hello there.');
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { reason: 'end', usage: { input_tokens: 10, output_tokens: 5 } } });
  expect(kinds(events).filter((kind) => kind === 'done')).toHaveLength(1);
  expect(await session(body.id)).toEqual({
    id: body.id, status: 'open', created_at: expect.any(String), tool_calls: 0, proposals: [],
    messages: [
      { role: 'user', content: 'Hi', at: expect.any(String) },
      { role: 'assistant', content: 'Hello there.', at: expect.any(String) },
    ],
  });
  model.play({ text: ['Again.'] });
  await say(body.id, 'And?');
  expect(model.requests[1]!.messages).toEqual([
    { role: 'user', text: 'Hi' }, { role: 'assistant', text: 'Hello there.', toolCalls: [] }, { role: 'user', text: 'And?' },
  ]);
  expect((await owner.get(path()).expect(200)).body).toEqual({
    items: [{ id: body.id, status: 'open', created_at: expect.any(String), tool_calls: 0 }], total: 1,
  });
});

it('an organization can switch it off: nothing goes to the model any more', async () => {
  const id = await open();
  const at = `/api/orgs/${owner.organizationId}/assistant`;
  const member = await lab.member(owner.organizationId);
  expect((await member.get(at).expect(200)).body).toEqual({ enabled: true });
  await member.put(at, { enabled: false }).expect(403, { detail: { error: 'owner_required' } });
  // While a turn is under way: it ends before it asks again.
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => { finish = resolve; });
  model.play({ text: ['I look.'], calls: [{ name: 'read_catalog', arguments: {} }], until: held });
  const told = say(id, 'Hi');
  await until('the model is asked', () => model.requests.length === 1);
  expect((await owner.put(at, { enabled: false }).expect(200)).body).toEqual({ enabled: false });
  finish();
  const events = await told;
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { reason: 'end' } });
  expect((await session(id)).messages.at(-1).content).toBe('I look.\n\nThe assistant was switched off for this organization.');
  const off = { detail: { code: 'assistant_switched_off' } };
  await owner.post(path()).expect(403, off);
  await owner.post(path(`/${id}/messages`), { content: 'Again' }).expect(403, off);
  expect((await owner.get(path()).expect(200)).body.total).toBe(1);
  expect(model.requests).toHaveLength(1);
  await owner.put(at, { enabled: true }).expect(200);
  model.play({ text: ['Here I am.'] });
  await say(id, 'Again');
});

it('refuses an empty and a too long message', async () => {
  const id = await open();
  for (const content of ['', 'x'.repeat(32_001), undefined, 1])
    await owner.post(path(`/${id}/messages`), { content }).expect(422);
  model.play({ text: ['ok'] });
  await owner.post(path(`/${id}/messages`), { content: 'x'.repeat(32_000) }).expect(200);
  // As the JSON of some clients has it: every character escaped, in twelve bytes.
  model.play({ text: ['ok'] });
  const escaped = `{"content": "${'\\ud83d\\ude00'.repeat(32_000)}"}`;
  await owner.post(path(`/${id}/messages`)).set('content-type', 'application/json').send(escaped).expect(200);
});

it('tools are called, and their results go back to the model', async () => {
  const id = await open();
  model.play({ text: ['I look.'], calls: [{ name: 'read_config', arguments: {} }] }, { text: ['It is empty.'] });
  const events = await say(id, 'What is there?');
  const call = events.find(({ event }) => event === 'tool_call')!.data;
  expect(call).toEqual({ id: expect.any(String), name: 'read_config', arguments: {} });
  expect(events.find(({ event }) => event === 'tool_result')!.data).toEqual({ id: call.id, name: 'read_config', ok: true });
  expect(model.requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', results: [{ id: call.id, ok: true }] });
  expect(await session(id)).toMatchObject({ tool_calls: 1 });
  expect((await session(id)).messages.at(-1).content).toBe('I look.\n\nIt is empty.');
});

it('a proposal is checked, shown, and applied by the user only', async () => {
  const id = await open();
  const patch = { entities: contactConfig.entities, flows: contactConfig.flows };
  const before = await draft();
  model.play(
    { calls: [{ name: 'propose_patch', arguments: { patch: { flows: [{ name: 'x' }] }, summary: 'wrong' } }] },
    { calls: [{ name: 'propose_patch', arguments: { patch, summary: 'Contacts' } }] },
    { text: ['Apply it.'] },
  );
  const events = await say(id, 'Build it');
  expect(events.filter(({ event }) => event === 'tool_result').map(({ data }) => [data.ok, data.error]))
    .toEqual([[false, 'validation'], [true, undefined]]);
  const refusal = (model.requests[1]!.messages.at(-1) as { results: readonly { text: string }[] }).results[0]!.text;
  expect(JSON.parse(refusal).errors[0]).toEqual({ type: expect.any(String), loc: expect.any(Array), msg: expect.any(String) });
  const [proposal] = events.filter(({ event }) => event === 'proposal').map(({ data }) => data);
  expect(proposal).toEqual({
    id: expect.any(String), summary: 'Contacts', patch, base_version: before.draft_version, hash: expect.any(String), changes: [],
  });
  expect(await draft()).toEqual(before);
  const apply = (sid = id, body?: object) => owner.post(path(`/${sid}/proposals/${proposal.id}/apply`), body);
  expect((await apply(await open()).expect(404)).body).toEqual({ detail: 'Not Found' });
  expect((await apply(id, { hash: 'other' }).expect(409)).body).toEqual({ detail: { code: 'proposal_changed' } });
  const [one, two] = await Promise.all([apply(id, { hash: proposal.hash }), apply()]);
  expect([one.status, two.status].sort()).toEqual([200, 409]);
  const applied = one.status === 200 ? one : two;
  expect(applied.body).toEqual(await draft());
  expect(applied.body.config).toMatchObject(patch);
  expect((await apply().expect(409)).body).toEqual({ detail: { code: 'proposal_already_applied' } });
  expect((await session(id)).proposals).toMatchObject([{ id: proposal.id, status: 'applied', summary: 'Contacts', patch }]);
  await owner.get(`/api/connectors/${connectorId}/versions/active`).expect(404);
});

it('a proposal for a draft that has changed since is refused', async () => {
  const id = await open();
  model.play({ calls: [{ name: 'propose_patch', arguments: { patch: { settings: { note: 'a' } }, summary: 'A note' } }] });
  const proposal = (await say(id, 'Note it')).find(({ event }) => event === 'proposal')!.data;
  await owner.patch(`/api/connectors/${connectorId}/draft`, { settings: { note: 'b' } }).expect(200);
  const { body } = await owner.post(path(`/${id}/proposals/${proposal.id}/apply`)).expect(409);
  expect(body.detail).toEqual({
    code: 'draft_version_conflict', expected_version: proposal.base_version, draft_version: proposal.base_version + 1,
  });
  expect((await session(id)).proposals).toMatchObject([{ status: 'open' }]);
});

it('a proposal says what to look at: new hosts, credentials at new places, what goes', async () => {
  await owner.put(`/api/connectors/${connectorId}/draft`, contactConfig).expect(200);
  const sources = [{ name: 'erp', type: 'rest', config: { base_url: 'https://evil.example/in' } }];
  model.play({ calls: [{ name: 'propose_patch', arguments: { patch: { sources, flows: [] }, summary: 'x' } }] });
  const events = await say(await open(), 'Go');
  const proposal = events.find(({ event }) => event === 'proposal')!.data;
  expect(proposal.changes).toEqual(expect.arrayContaining(['new host: evil.example', 'flow removed: customers']));
});

it('one turn at a time; a caller who leaves does not end it, and the rest can be had', async () => {
  const id = await open();
  let finish = (): void => undefined;
  model.play({ text: ['First.'], until: new Promise<void>((resolve) => { finish = resolve; }) });
  const first = say(id, 'Begin');
  await until('the turn is under way', async () => (await session(id)).status === 'busy' && model.requests.length === 1);
  const busy = await owner.post(path(`/${id}/messages`), { content: 'Now' }).expect(409);
  expect(busy.body).toEqual({ detail: { code: 'session_busy' } });
  const followed = owner.get(path(`/${id}/events`)).expect(200).then(({ text }) => eventsOf(text));
  finish();
  const events = await first;
  expect(await followed).toEqual(events);
  const rest = await owner.get(path(`/${id}/events`)).set('Last-Event-ID', events[0]!.id).expect(200);
  expect(eventsOf(rest.text)).toEqual(events.slice(1));
  const none = await owner.get(path(`/${id}/events`)).set('Last-Event-ID', events.at(-1)!.id).expect(200);
  expect(eventsOf(none.text)).toEqual([]);
  expect((await session(id)).status).toBe('open');
});

it('a turn whose process died is over: its followers get an end, and the session goes on', async () => {
  const id = await open();
  const store = createAssistantStore(lab.pool);
  const asked = { connectorId, sessionId: id, content: 'Hi', holder: 'dead', leaseMs: 3_000 };
  const begun = await store.beginTurn(asked);
  if (!begun.ok) throw new Error('busy');
  await store.addEvents(begun.turn, [{ event: 'text', data: { text: 'Half' } }]);
  expect((await session(id)).status).toBe('busy');
  const followed = eventsOf((await owner.get(path(`/${id}/events`)).expect(200)).text);
  expect(followed.map(({ event, data }) => [event, data.text ?? data.reason]))
    .toEqual([['text', 'Half'], ['done', 'model_error']]);
  expect(await store.addEvents(begun.turn, [{ event: 'text', data: { text: 'late' } }])).toBe(false);
  expect((await session(id)).messages.map(({ content }: { content: string }) => content)).toEqual(['Hi', 'Half']);
  model.play({ text: ['On.'] });
  expect((await say(id, 'Go on')).at(-1)!.data.reason).toBe('end');
});

const failures = [['failed', 'model_error'], ['timeout', 'timeout']] as const;
it.each(failures)('a model that %s ends the turn with %s', async (fails, reason) => {
  const id = await open();
  model.play({ text: ['I'], fails });
  const events = await say(id, 'Hi');
  expect(events.at(-1)!.data.reason).toBe(reason);
  expect(JSON.stringify(events)).not.toContain('as scripted');
  expect((await session(id)).status).toBe('open');
});

it('on the trial: 25 tool calls a session, then words only; 10 sessions a day for the whole organization', async () => {
  owner = await lab.owner('trial');
  connectorId = await newConnector();
  const answers = await Promise.all(Array.from({ length: 12 }, () => owner.post(path())));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 402, 402]);
  expect(answers.find(({ status }) => status === 402)!.body.detail).toEqual({
    error: 'agent_session_daily_limit_reached', tier: 'trial', message: expect.any(String), upgrade_url: expect.any(String),
    limit: 10, usage: 10,
  });
  const id = answers.find(({ status }) => status === 201)!.body.id;
  const calls = Array.from({ length: 15 }, () => ({ name: 'read_config', arguments: {} }));
  model.play({ calls }, { calls });
  const events = await say(id, 'Look often');
  expect(events.filter(({ event }) => event === 'tool_result')).toHaveLength(25);
  expect(events.at(-2)).toMatchObject({ event: 'text', data: { text: expect.stringContaining('25 tool calls') } });
  expect(events.at(-1)!.data.reason).toBe('tool_limit');
  expect((await session(id)).tool_calls).toBe(25);
  model.requests.length = 0;
  model.play({ text: ['Words.'] });
  expect((await say(id, 'Go on')).at(-1)!.data.reason).toBe('end');
  expect(model.requests[0]!.tools).toEqual([]);
});

it('other tiers: 100 tool calls a turn', async () => {
  const calls = Array.from({ length: 101 }, () => ({ name: 'unknown', arguments: {} }));
  model.play({ calls });
  const id = await open();
  const events = await say(id, 'Go');
  expect(events.filter(({ event }) => event === 'tool_result')).toHaveLength(100);
  expect(events.at(-1)!.data.reason).toBe('tool_limit');
});

it('tokens of the month: passed in a turn it ends, then 429 until the next month', async () => {
  const id = await open();
  model.play({ calls: [{ name: 'read_config', arguments: {} }], usage: { inputTokens: 90_000, outputTokens: 20_000 } });
  const events = await say(id, 'Go');
  expect(events.at(-1)!.data).toEqual({ reason: 'token_limit', usage: { input_tokens: 90_000, output_tokens: 20_000 } });
  const { body, headers } = await owner.post(path(`/${id}/messages`), { content: 'More' }).expect(429);
  expect(body).toEqual({ detail: { code: 'assistant_token_limit_reached' } });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await session(id)).messages).toHaveLength(1);
});

it('what a caller may no longer do, its turn may not either', async () => {
  const member = await lab.member(owner.organizationId);
  const id = await open();
  const leaves = () => owner.delete(`/api/orgs/${owner.organizationId}/members/${member.userId}`).expect(204);
  model.play(() => ({ calls: [{ name: 'read_config', arguments: {} }], until: leaves().then(() => undefined) }));
  const events = await say(id, 'Read', member);
  const result = events.find(({ event }) => event === 'tool_result')!.data;
  expect(result).toMatchObject({ ok: false });
});

it('sessions are seen by every member and key of the organization, and by nobody else', async () => {
  const id = await open();
  const member = await lab.member(owner.organizationId);
  const key = lab.as((await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body.raw_key);
  for (const caller of [member, key]) expect((await caller.get(path(`/${id}`)).expect(200)).body.id).toBe(id);
  const stranger = await lab.owner();
  await stranger.get(path(`/${id}`)).expect(404);
  await stranger.get(path(`/${id}`, await newConnector(stranger))).expect(404);
  await stranger.post(path(`/${id}/messages`), { content: 'x' }).expect(404);
});

it('without a key of a model every route answers 503, after 401 and 404, whatever the body', async () => {
  const other = await startLab();
  try {
    const caller = await other.owner();
    const id = await newConnector(caller);
    const nothing = randomUUID();
    const routes = [
      ['post', ''], ['get', ''], ['get', `/${nothing}`], ['get', `/${nothing}/events`],
      ['post', `/${nothing}/messages`, { content: 'Hi' }], ['post', `/${nothing}/messages`, {}],
      ['post', `/${nothing}/proposals/${nothing}/apply`], ['post', `/${nothing}/proposals/${nothing}/apply`, { surplus: 1 }],
    ] as const;
    for (const [method, rest, body] of routes) {
      const ask = (who: Pick<Caller, 'get' | 'post'>, connector = id) => who[method](path(rest, connector), body);
      expect((await ask(other.as('made-up'))).status).toBe(401);
      expect((await ask(caller, nothing).expect(404)).body.detail.error).toBe('connector_not_found');
      expect((await ask(caller).expect(503)).body).toEqual({ detail: { code: 'assistant_unavailable' } });
    }
  } finally {
    await other.stop();
  }
});
