import { randomUUID } from 'node:crypto';
import type { ConfigStore } from '@sluice/ports';
import type { Response } from 'supertest';
import { type Caller, password, startLab } from './test-support/lab';

/** Where a process dies: at which call of its store, and whether the call has happened then. null: it lives. */
let death: { at: number; after: boolean; calls: number } | null = null;

/** Calls through until the process dies; from then on nothing reaches the store any more. */
function dying<T extends object>(target: T): T {
  return new Proxy(target, {
    get(inner, name) {
      const found: unknown = Reflect.get(inner, name);
      if (typeof found === 'object' && found !== null) return dying(found);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]): Promise<unknown> => {
        const mine = death;
        if (mine) mine.calls += 1;
        const call = mine?.calls ?? 0;
        if (mine && (call > mine.at || (call === mine.at && !mine.after))) throw new Error('killed');
        const result: unknown = await found.apply(inner, given);
        if (mine && call === mine.at) throw new Error('killed');
        return result;
      };
    },
  });
}

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => {
  lab = await startLab({}, undefined, undefined, { store: (store: ConfigStore) => dying(store) });
});
afterAll(() => lab.stop());

/** A request that may be cut, and what must hold once it was sent again. */
interface Act {
  /** Statuses that say that it is done: the second only where the first request had done it. */
  succeeds: readonly [number, number];
  send(): Promise<Response>;
  /** Throws unless it was done, once. */
  assertDone(): Promise<void>;
}

const signUp = async (): Promise<Act> => {
  const email = `${randomUUID()}@killed.example`;
  // An address signs up ten times an hour.
  lab.kv.now += 3_600_001;
  return {
    succeeds: [201, 409],
    send: async () => lab.api().post('/api/auth/signup').send({ email, password, organization_name: 'Shop' }),
    assertDone: async () => {
      const login = await lab.api().post('/api/auth/login').send({ email, password }).expect(200);
      expect((await lab.as(login.body.access_token).get('/api/orgs').expect(200)).body.total).toBe(1);
    },
  };
};

const invite = async (): Promise<Act> => {
  const owner = await lab.owner();
  const at = `/api/orgs/${owner.organizationId}/invitations`;
  return {
    succeeds: [201, 201],
    send: async () => owner.post(at, { email: 'bob@killed.example', role: 'member' }),
    assertDone: async () => expect((await owner.get(at).expect(200)).body.items).toHaveLength(1),
  };
};

const accept = async (): Promise<Act> => {
  const owner = await lab.owner();
  const email = `${randomUUID()}@killed.example`;
  await owner.post(`/api/orgs/${owner.organizationId}/invitations`, { email, role: 'member' }).expect(201);
  const [link] = await lab.linksTo(email);
  const token = new URL(link!).searchParams.get('token') ?? link!.split('/').at(-1)!;
  return {
    succeeds: [200, 410],
    send: async () => lab.api().post(`/api/invitations/${token}/accept`).send({ password, name: 'Bob' }),
    assertDone: async () => {
      await lab.api().post('/api/auth/login').send({ email, password }).expect(200);
      const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/members`).expect(200)).body;
      expect(items.filter((member: { email: string }) => member.email === email)).toHaveLength(1);
    },
  };
};

const changePlan = async (): Promise<Act> => {
  const owner = await lab.owner('free');
  return {
    succeeds: [201, 409],
    send: async () => owner.post('/api/v1/billing/checkout', { tier: 'pro', interval: 'month' }),
    assertDone: async () => expect((await owner.get('/api/v1/billing/me').expect(200)).body.tier).toBe('pro'),
  };
};

let portals = 9_700_000;
const attach = async (): Promise<Act> => {
  const owner = await lab.owner();
  portals += 1;
  lab.simulator.state.addPortal(portals, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const { headers } = await lab.api().get(`/api/v1/auth/crm/callback?code=sim-code-${portals}`).expect(302);
  const token = new URL(headers['location']!).searchParams.get('token')!;
  return {
    succeeds: [201, 410],
    send: async () => owner.post(`/api/v1/auth/crm/install/${token}/attach`, { name: 'portal' }),
    assertDone: async () => expect((await owner.get('/api/credentials').expect(200)).body.total).toBe(1),
  };
};

const pluginCode = "exports.handler = async () => ({});";

/** A plugin of a new organization, and a request for it. */
async function pluginAct(
  prepare: (owner: Caller, path: string) => Promise<unknown>, send: (owner: Caller, path: string) => Promise<Response>,
  assertDone: (owner: Caller, path: string) => Promise<unknown>,
): Promise<Act> {
  const owner = await lab.owner();
  const path = `/api/plugins/${(await owner.post('/api/plugins', { name: 'price' }).expect(201)).body.id}`;
  await prepare(owner, path);
  return {
    succeeds: [202, 202],
    send: async () => send(owner, path),
    assertDone: async () => {
      await lab.landPlugins();
      await assertDone(owner, path);
    },
  };
}

const sendPush = async (owner: Caller, path: string): Promise<Response> =>
  owner.post(`${path}/push`).attach('bundle', Buffer.from(pluginCode), 'bundle.js');
const sendPromotion = async (owner: Caller, path: string): Promise<Response> => owner.post(`${path}/promote`, { target: 'live' });

const push = () => pluginAct(
  async () => undefined, sendPush,
  async (owner, path) => {
    expect((await owner.get(path).expect(200)).body).toMatchObject({ status: 'dev', has_bundle: true, error_message: null });
    expect((await owner.get(`${path}/bundle`).expect(200)).text).toBe(pluginCode);
  },
);

const promote = () => pluginAct(
  sendPush, sendPromotion,
  async (owner, path) => expect((await owner.get(path).expect(200)).body).toMatchObject({ status: 'live', error_message: null }),
);

const setUp = async (): Promise<Act> => {
  let connector_id = '';
  return pluginAct(
    async (owner, path) => {
      connector_id = (await owner.post('/api/connectors', { name: 'shop' }).expect(201)).body.id;
      await sendPush(owner, path);
      await sendPromotion(owner, path);
      await lab.landPlugins();
    },
    async (owner, path) => owner.post(`${path}/lifecycle/setup`, { connector_id }),
    async (owner, path) => {
      const { items } = (await owner.get(`${path}/lifecycle?connector_id=${connector_id}`).expect(200)).body;
      expect(items).toMatchObject([{ hook_type: 'setup', cycle: 1, status: 'pending' }]);
    },
  );
};

/** @returns whether the process died */
async function runWith(prepare: () => Promise<Act>, at: number, after: boolean): Promise<boolean> {
  const act = await prepare();
  const mine = { at, after, calls: 0 };
  death = mine;
  const cut = await act.send();
  death = null;
  const hasDied = mine.calls >= at;
  const [first, done] = act.succeeds;
  const where = `cut ${after ? 'after' : 'before'} call ${at}`;
  if (!hasDied) expect([where, cut.status]).toEqual([where, first]);
  else if (cut.status !== first) {
    const { status } = await act.send();
    expect([where, [first, done].includes(status)]).toEqual([where, true]);
  }
  await act.assertDone();
  return hasDied;
}

const acts = { 'a sign-up': signUp, 'an invitation': invite, 'an acceptance': accept, 'a change of the plan': changePlan,
  'an install': attach, 'a push': push, 'a promotion': promote, 'a setup': setUp };

test.each(Object.keys(acts) as (keyof typeof acts)[])(
  '%s that is killed at any call of the store is done by the same request, once', async (name) => {
    for (const after of [false, true]) {
      let at = 1;
      while (await runWith(acts[name], at, after)) at += 1;
      expect(at).toBeGreaterThan(1);
    }
  }, 300_000,
);
