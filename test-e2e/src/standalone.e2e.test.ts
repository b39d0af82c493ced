import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '@sluice/seeded-random';
import { demoEvents, type StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService, type SpawnedService } from '@sluice/testkit';

/** A record as the CRM simulator shows it. */
interface SimRecord {
  id: string;
  properties: Record<string, string | null>;
  write_log: { properties: Record<string, string> }[];
  associations: { to_object_type: string; to_id: string }[];
}

const stageOf: Record<string, string> = {
  placed: 'appointmentscheduled',
  paid: 'contractsent',
  shipped: 'closedwon',
  cancelled: 'closedlost',
};
const patience = { timeoutMs: 240_000, everyMs: 100 };
const base = 'http://127.0.0.1';

jest.setTimeout(900_000);

describe('npm start', () => {
  let folder: string;
  let env: Record<string, string>;
  let running: SpawnedService | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-standalone-'));
    env = {
      SLUICE_DATA_DIR: join(folder, 'data'),
      SLUICE_PORT: String(await freePort()),
      SLUICE_CRM_SIMULATOR_PORT: String(await freePort()),
      SLUICE_RATE_LIMIT_SCALE: '0',
    };
  });
  afterAll(async () => {
    await running?.stop();
    await untilUnused();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * The embedded Postgres and the CRM stand-in are processes of their own: when the one that started them was killed, they write
   * for a moment longer. Postgres removes its pid file last, the stand-in leaves its port when its snapshot is written.
   */
  const untilUnused = async (): Promise<void> => {
    const pidFile = join(env.SLUICE_DATA_DIR!, 'postgres', 'postmaster.pid');
    const standInAnswers = () => fetch(`${base}:${env.SLUICE_CRM_SIMULATOR_PORT}/_sim/stats`).then(() => true, () => false);
    await eventually(async () => !existsSync(pidFile) && !(await standInAnswers()), { timeoutMs: 60_000, everyMs: 50 });
  };

  const start = async (): Promise<SpawnedService> => {
    running = await spawnService('standalone', env);
    await eventually(() => running!.output().includes('Sluice is ready'), patience);
    return running;
  };
  const file = (): StandaloneFile =>
    JSON.parse(readFileSync(join(env.SLUICE_DATA_DIR!, 'standalone.json'), 'utf8')) as StandaloneFile;
  const answer = async (url: string, init?: RequestInit): Promise<any> => (await fetch(url, init)).json();
  const records = async (objectType: string): Promise<SimRecord[]> =>
    (await answer(`${file().crm_simulator_url}/_sim/records?portal_id=1000001&object_type=${objectType}`)).items;

  test('killed in the middle of its demo and started again, it loses nothing and writes nothing twice', async () => {
    const first = await start();
    await eventually(() => /accepted \d+\//.test(first.output()), { ...patience, everyMs: 20 });
    expect(first.output()).not.toContain('What became of them');
    await first.kill();

    const second = await start();
    await eventually(() => second.output().includes('Sluice goes on running'), { ...patience, timeoutMs: 600_000 });
    expect(second.output()).toContain('What became of them');
    const [contacts, companies, deals] = [await records('contacts'), await records('companies'), await records('deals')];
    for (const [found, identity] of [[contacts, 'email'], [companies, 'domain'], [deals, 'shop_order_number']] as const) {
      const values = found.map(({ properties }) => properties[identity]);
      expect(new Set(values).size).toBe(values.length);
    }
    expectEveryOrder(deals);
    expect(deals.every(({ associations }) => associations.some(({ to_object_type }) => to_object_type === 'contacts'))).toBe(
      true,
    );
  });

  /** One deal per good order, whose stages were written in the order of the events. */
  function expectEveryOrder(deals: readonly SimRecord[]): void {
    const stories = new Map<string, string[]>();
    for (const { body } of demoEvents()) {
      const order = (body.data as { order?: { number: string; status: string } } | undefined)?.order;
      if (body.event.startsWith('order.') && order!.number.startsWith('SH-1'))
        stories.set(order!.number, [...(stories.get(order!.number) ?? []), stageOf[order!.status]!]);
    }
    expect(deals.map(({ properties }) => properties.shop_order_number).sort()).toEqual([...stories.keys()].sort());
    for (const deal of deals) {
      const written = deal.write_log.flatMap(({ properties }) => properties.dealstage ?? []);
      const steps = written.filter((stage, index) => stage !== written[index - 1]);
      expect(steps).toEqual(stories.get(deal.properties.shop_order_number!));
    }
  }

  /** Customers as the shop of the two-way demo has them, and as its portal of the CRM does; by address. */
  const bothSides = async (): Promise<[shop: object[], crm: object[]]> => {
    const shopUrl = await eventually(() => /http:\/\/127\.0\.0\.1:\d+\/customers\b/.exec(running!.output())?.[0] ?? false,
      patience);
    const byEmail = (list: { email: string }[]): object[] => list.sort((one, other) => (one.email < other.email ? -1 : 1));
    const { items } = await answer(`${file().crm_simulator_url}/_sim/records?portal_id=1900001&object_type=contacts`);
    const contacts = (items as SimRecord[]).map(({ properties: { email, firstname, phone } }) =>
      ({ email: email!, name: firstname, phone }));
    return [byEmail(await answer(String(shopUrl))), byEmail(contacts)];
  };

  test('a shop and the CRM edit the same customers at once: both end equal, traffic stops, and the table says so', async () => {
    const printed = running!.output();
    expect(printed).toMatch(/customer +edits in the shop +edits in the CRM +name +phone +equal\n/);
    expect(printed.match(/^ {2}\w+@two-way\.example .* yes$/gm)).toHaveLength(8);
    expect(printed).toContain('All 8 customers are equal in the shop and in the CRM.');
    expect(printed).toContain('Traffic has stopped: ');
    const [shop, crm] = await bothSides();
    expect(shop).toHaveLength(8);
    expect(crm).toEqual(shop);
    // People go on editing: in the shop, which tells Sluice at once.
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/customers\/ada@two-way\.example/.exec(printed)!;
    expect((await fetch(url, { method: 'PATCH', body: JSON.stringify({ phone: '+49 30 1' }) })).status).toBe(200);
    await eventually(async () => {
      const [now, inCrm] = await bothSides();
      expect(now[0]).toMatchObject({ email: 'ada@two-way.example', phone: '+49 30 1' });
      expect(inCrm).toEqual(now);
    }, patience);
  });

  test('without a terminal it prints its progress and its tables; log lines below warn are only in the file', () => {
    const printed = running!.output().split('\n').filter((line) => line.startsWith('{'));
    const levels = printed.map((line) => (JSON.parse(line) as { level: string }).level);
    expect(levels.filter((level) => level !== 'warn' && level !== 'error')).toEqual([]);
    const logged = readFileSync(join(env.SLUICE_DATA_DIR!, 'logs', 'sluice.log'), 'utf8').trim().split('\n');
    expect(logged.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ level: 'info',
      message: 'settings' }));
    expect(logged).toEqual(expect.arrayContaining(printed));
  });

  test('it writes standalone.json for this user only, and answers calls with what the file names', async () => {
    const standalone = file();
    expect(Object.keys(standalone)).toEqual([
      'base_url',
      'crm_simulator_url',
      'operator_token',
      'owner',
      'organization_id',
      'organization_api_key',
      'crm_credential_id',
      'connector_id',
      'connector_api_key',
      'pid',
    ]);
    expect(standalone).toMatchObject({
      pid: running!.pid,
      base_url: `http://localhost:${env.SLUICE_PORT}`,
      crm_simulator_url: `${base}:${env.SLUICE_CRM_SIMULATOR_PORT}`,
    });
    expect(statSync(join(env.SLUICE_DATA_DIR!, 'standalone.json')).mode & 0o777).toBe(0o600);
    const { base_url: url, owner, operator_token: token } = standalone;
    expect(await answer(`${url}/readyz`)).toMatchObject({ status: 'ok' });
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/service="flow-runner"/);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const login = await answer(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(owner),
    });
    expect(login.access_token).toEqual(expect.any(String));
    const organization = await answer(`${url}/operator/organizations/${standalone.organization_id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(organization).toMatchObject({ tier: 'enterprise', state: 'active' });

    // No app is named by the settings, so the stand-in takes any.
    const refresh = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'any',
      client_secret: 'any',
      refresh_token: 'sim-refresh-1000001',
    });
    expect(await answer(`${standalone.crm_simulator_url}/oauth/v1/token`, { method: 'POST', body: refresh })).toMatchObject({
      token_type: 'bearer',
    });

    const headers = { 'x-api-key': standalone.connector_api_key, 'content-type': 'application/json' };
    const order = {
      number: 'MY-1',
      status: 'placed',
      total: '12.50',
      currency: 'EUR',
      channel: 'web',
      placed_at: '2026-02-01T10:00:00Z',
      lines: [],
    };
    const body = JSON.stringify({
      event: 'order.placed',
      recordKey: 'MY-1',
      data: { order, customer: { email: 'me@mail.example', first_name: 'Me' } },
    });
    const accepted = await answer(`${url}/api/v1/events`, { method: 'POST', headers, body });
    expect(accepted).toMatchObject({ status: 'processing', entities_count: 1, hint: null });
    await eventually(
      async () => (await answer(`${url}/api/v1/events/${accepted.event_id}/status`, { headers })).status === 'completed',
      patience,
    );
    expect((await records('deals')).filter(({ properties }) => properties.shop_order_number === 'MY-1')).toHaveLength(1);
  });

  test('killed five times under load it ends no valid event', async () => {
    const [orders, rounds, random] = [100, 20, createSeededRandom(20)];
    const portal = (latency: number): Promise<unknown> => {
      const url = `${file().crm_simulator_url}/_sim/portals/1000001`;
      return fetch(url, { method: 'PATCH', body: JSON.stringify({ latency_ms: latency }) });
    };
    const send = async (order: number, round: number): Promise<void> => {
      const { base_url: url, connector_api_key: key } = file();
      const number = `KILL-${order}`;
      const data = {
        order: { number, status: 'placed', total: `${round}.00`, currency: 'EUR', channel: 'web', lines: [] },
        customer: { email: `kill-${order}@mail.example`, first_name: 'Kim' },
      };
      const body = JSON.stringify({ event: 'order.placed', recordKey: number, data });
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const post = () => fetch(`${url}/api/v1/events`, { method: 'POST', headers, body });
      // A full machine may refuse it for a moment: it is sent again, as senders do.
      await eventually(async () => expect((await post()).status).toBe(202), patience);
    };
    // A slow CRM: the backlog outlasts the kills.
    await portal(400);
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(Array.from({ length: orders }, (_, order) => send(order, round)));
    for (let kill = 0; kill < 5; kill += 1) {
      await sleep(random.between(500, 5_000));
      await running!.kill();
      await start();
      await portal(400);
    }
    await portal(0);
    await eventually(async () => {
      const deals = (await records('deals')).filter(({ properties }) => properties.shop_order_number?.startsWith('KILL-'));
      return deals.length === orders && deals.every(({ properties }) => Number(properties.amount) === rounds - 1);
    }, patience);
    const { base_url: url, connector_id: id, organization_api_key: key } = file();
    const headers = { authorization: `Bearer ${key}` };
    const { by_status: ended } = await answer(`${url}/api/connectors/${id}/sync-events/summary`, { headers });
    expect(ended.quarantined ?? 0).toBe(0);
  });

  test('a second one on the same folder is refused and names the first', async () => {
    const { code, output } = await runToEnd({ ...env, SLUICE_PORT: '0', SLUICE_CRM_SIMULATOR_PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain(`process ${running!.pid}`);
    expect(await answer(`${file().base_url}/readyz`)).toMatchObject({ status: 'ok' });
  });

  test('SIGTERM, also twice, ends it with 0; started again it has everything and sends nothing again', async () => {
    const before = [await records('contacts'), await records('companies'), await records('deals')];
    const customers = await bothSides();
    process.kill(running!.pid, 'SIGTERM');
    process.kill(running!.pid, 'SIGTERM');
    expect(await running!.ended).toBe('0');
    const again = await start();
    await eventually(() => again.output().includes('Sluice goes on running'), patience);
    expect(again.output()).toContain('they are not sent again');
    expect(again.output()).toContain('A shop and the CRM edited the same customers until both were equal');
    expect(await bothSides()).toEqual(customers);
    expect([await records('contacts'), await records('companies'), await records('deals')]).toEqual(before);
    expect(await again.stop()).toBe('0');
    running = undefined;
  });
});

/** Runs the compiled service until it ends by itself. */
function runToEnd(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(__dirname, '../../services/standalone/dist/main.js')], {
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
