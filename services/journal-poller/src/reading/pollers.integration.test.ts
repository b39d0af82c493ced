import type { Source } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

let lab: PollerLab;
beforeAll(async () => { lab = await startPollerLab(); });
afterAll(() => lab.stop());
beforeEach(() => {
  lab.server.received.length = 0;
  lab.server.answerBy(() => undefined);
});

const poller = (path: string, config: Record<string, unknown> = {}): Source =>
  ({ name: 'erp', type: 'poller', config: { url: `${lab.server.url}${path}`, schedule: '0 0 1 1 *', ...config } });
const answers = (body: (path: URL) => unknown, headers: (path: URL) => Record<string, string> = () => ({})): void =>
  lab.server.answerBy(({ path }) => {
    const url = new URL(path, lab.server.url);
    return { status: 200, body: body(url), headers: headers(url) };
  });
const paths = (): string[] => lab.server.received.map(({ path }) => path);

/** Polls once, and waits until that is done. */
async function polled(source: Source) {
  const connector = await lab.connector(source);
  await connector.poll('erp');
  await connector.read('erp');
  return connector;
}

test('without items_path a list is one event each, an object is one; types and ids are read from the element', async () => {
  answers(({ pathname }) => (pathname === '/list' ? [{ id: 1, kind: 'a' }, { id: 2, kind: 'b' }] : { id: 3 }));
  const list = await polled(poller('/list', { external_id_path: '$.id', event_type_path: '$.kind' }));
  expect(list.events()).toMatchObject([
    { event_type: 'a', external_id: '1', payload: { id: 1, kind: 'a' }, source_name: 'erp', source_type: 'poller' },
    { event_type: 'b', external_id: '2' },
  ]);
  const one = await polled(poller('/one'));
  expect(one.events()).toMatchObject([{ event_type: 'erp.polled', external_id: null, payload: { id: 3 } }]);
});

const five = [1, 2, 3, 4, 5].map((id) => ({ id }));
test.each<[string, Record<string, unknown>, (url: URL) => unknown, (url: URL) => Record<string, string>, string[]]>([
  [
    'page', { type: 'page', size_param: 'per', size: 2 },
    ({ searchParams }) => ({ data: five.slice(2 * Number(searchParams.get('page')) - 2, 2 * Number(searchParams.get('page'))) }),
    () => ({}), ['/?per=2&page=1', '/?page=2&per=2', '/?page=3&per=2'],
  ],
  [
    'offset', { type: 'offset', param: 'skip', size_param: 'limit', size: 2 },
    ({ searchParams }) => ({ data: five.slice(Number(searchParams.get('skip')), Number(searchParams.get('skip')) + 2) }),
    () => ({}), ['/?limit=2&skip=0', '/?skip=2&limit=2', '/?skip=4&limit=2'],
  ],
  [
    'cursor', { type: 'cursor', param: 'after', path: '$.next' },
    ({ searchParams }) => {
      const at = Number(searchParams.get('after') ?? 0);
      return { data: five.slice(at, at + 2), next: at + 2 < 5 ? at + 2 : null };
    },
    () => ({}), ['/', '/?after=2', '/?after=4'],
  ],
  [
    'next_url', { type: 'next_url', path: '$.next' },
    ({ searchParams }) => {
      const at = Number(searchParams.get('at') ?? 0);
      return { data: five.slice(at, at + 2), next: at + 2 < 5 ? `/?at=${at + 2}` : null };
    },
    () => ({}), ['/', '/?at=2', '/?at=4'],
  ],
  [
    'link_header', { type: 'link_header' },
    ({ searchParams }) => ({ data: five.slice(Number(searchParams.get('at') ?? 0), Number(searchParams.get('at') ?? 0) + 2) }),
    ({ searchParams }): Record<string, string> => {
      const at = Number(searchParams.get('at') ?? 0);
      return at + 2 < 5 ? { link: `</?at=0>; rel="first", </?at=${at + 2}>; rel="next"` } : {};
    },
    ['/', '/?at=2', '/?at=4'],
  ],
])('pages by %s are read to the last one', async (_type, pagination, body, headers, expected) => {
  answers(body, headers);
  const connector = await polled(poller('/', { items_path: '$.data', pagination }));
  expect(connector.payloads()).toEqual(five);
  expect(paths()).toEqual(expected);
  expect(await connector.source('erp')).toMatchObject({ lastError: null });
});

test('a page at another host is not called, whatever an answer names', async () => {
  answers(() => ({ data: [{ id: 1 }], next: 'http://203.0.113.1/steal' }));
  const connector = await polled(poller('/', { items_path: '$.data', pagination: { type: 'next_url', path: '$.next' } }));
  expect((await connector.source('erp')).lastError).toContain('another host');
  expect(paths()).toEqual(['/']);
});

test('a poll ends after max_pages, and its state says that there are more', async () => {
  answers(({ searchParams }) => ({ data: [{ id: searchParams.get('page') }] }));
  const connector = await polled(poller('/', { items_path: '$.data', pagination: { type: 'page', max_pages: 3 } }));
  expect(connector.events()).toHaveLength(3);
  expect((await connector.source('erp')).lastError).toContain('ended after 3 pages');
});

test('the cursor is sent, and moves only when every page of a poll is queued', async () => {
  let fails = true;
  lab.server.answerBy(({ path }) => {
    const page = Number(new URL(path, lab.server.url).searchParams.get('page'));
    if (page === 2 && fails) return { status: 500, body: 'down' };
    return { status: 200, body: { data: page < 3 ? [{ id: page }] : [], last: `p${page}` } };
  });
  const config = {
    items_path: '$.data', pagination: { type: 'page' }, cursor: { param: 'since', path: '$.last', initial: 'zero' },
  };
  // A path of its own: the failed polls of earlier tests are tried again.
  const connector = await polled(poller('/cursor', config));
  const own = (): string[] => paths().filter((path) => path.startsWith('/cursor'));
  expect(await connector.source('erp')).toMatchObject({ cursor: null, lastError: 'the server answered 500: down' });
  fails = false;
  await connector.poll('erp');
  await until('it is read', async () => (await connector.source('erp')).lastError === null);
  expect(await connector.source('erp')).toMatchObject({ cursor: 'p3' });
  // The poll that was asked for may follow the failed one, which is tried again by itself.
  const moved = own().findIndex((path) => path.includes('since=p3'));
  const first = moved < 0 ? own() : own().slice(0, moved);
  expect(first.every((path) => path.includes('since=zero'))).toBe(true);
  expect(first.at(-1)).toContain('page=3');
  // Of the page that was read twice each element is one event: the same tick gives it the same id.
  const end = connector.payloads().findIndex((payload) => (payload as { id: number }).id === 2);
  expect(new Set(connector.events().slice(0, end + 1).map(({ event_id: id }) => id)).size).toBe(2);
  const before = own().length;
  const { lastPollAt } = await connector.source('erp');
  await connector.poll('erp');
  await connector.read('erp', lastPollAt);
  expect(own()[before]).toContain('since=p3');
});

test('emit changed: only what differs from the last time, per external id', async () => {
  let name = 'Ada';
  answers(() => [{ id: 1, name }, { name: 'Bob', id: 2 }]);
  const connector = await polled(poller('/', { emit: 'changed', external_id_path: '$.id' }));
  expect(connector.payloads()).toHaveLength(2);
  const again = async (): Promise<void> => {
    const { lastPollAt } = await connector.source('erp');
    await connector.poll('erp');
    await connector.read('erp', lastPollAt);
  };
  await again();
  expect(connector.payloads()).toHaveLength(2);
  name = 'Eva';
  await lab.restart();
  await again();
  expect(connector.payloads().slice(2)).toEqual([{ id: 1, name: 'Eva' }]);
});

test('elements that are no events are left out and told of; the others are queued', async () => {
  answers(() => [{ kind: 'a' }, { other: 1 }, { kind: 'b' }]);
  const connector = await polled(poller('/', { event_type_path: '$.kind' }));
  expect(connector.events().map(({ event_type: type }) => type)).toEqual(['a', 'b']);
  expect((await connector.source('erp')).lastError).toBe('1 elements are no events: event_type: Field required at $.kind');
});

describe('credentials', () => {
  const headersOf = async (
    type: 'api_key' | 'bearer_token' | 'oauth2_client_credentials', data: object, config: Record<string, unknown> = {},
  ) => {
    answers(({ pathname }) => (pathname === '/token' ? { access_token: 'tok-1', expires_in: 60 } : []));
    const connector = await lab.connector();
    await connector.credential('erp login', type, data);
    // A path of its own: a poll of an earlier test may still come.
    const own = `/for-${connector.id}`;
    await connector.publish(poller(own, { credential_name: 'erp login', ...config }));
    await connector.poll('erp');
    await connector.read('erp');
    return lab.server.received.find(({ path }) => path === own)!.headers;
  };

  it('an API key goes into its header', async () => {
    expect(await headersOf('api_key', { value: 'k-1' }, { auth_header: 'X-Erp', default_headers: { 'X-Shop': '7' } }))
      .toMatchObject({ 'x-erp': 'k-1', 'x-shop': '7' });
  });

  it('bearer and basic go into Authorization', async () => {
    expect(await headersOf('bearer_token', { token: 't-1' })).toMatchObject({ authorization: 'Bearer t-1' });
    lab.server.received.length = 0;
    const basic = `Basic ${Buffer.from('k-1:').toString('base64')}`;
    expect(await headersOf('api_key', { value: 'k-1' }, { auth_type: 'basic' })).toMatchObject({ authorization: basic });
  });

  it('client credentials fetch a token', async () => {
    const data = { token_url: `${lab.server.url}/token`, client_id: 'id', client_secret: 'secret-1' };
    expect(await headersOf('oauth2_client_credentials', data)).toMatchObject({ authorization: 'Bearer tok-1' });
  });

  it('that a server repeats in a refusal are masked in the error', async () => {
    lab.server.answerBy(() => ({ status: 403, body: 'no entry for sekret-4711' }));
    const connector = await lab.connector();
    await connector.credential('erp login', 'api_key', { value: 'sekret-4711' });
    await connector.publish(poller('/', { credential_name: 'erp login' }));
    await connector.poll('erp');
    await connector.read('erp');
    expect((await connector.source('erp')).lastError).toBe('the server answered 403: no entry for ***');
    expect(JSON.stringify(lab.logger.lines)).not.toContain('sekret-4711');
  });
});

describe('when a source is read', () => {
  test('an empty schedule reads with every tick of the worker; a failure waits, and is told of', async () => {
    answers(() => []);
    const connector = await lab.connector(poller('/', { schedule: '' }));
    await until('it is read again and again', () => paths().length > 3);
    expect(await connector.source('erp')).toMatchObject({ lastError: null, lastEventAt: null });
    lab.server.answerBy(() => ({ status: 302, headers: { location: '/elsewhere' } }));
    await until('it fails', async () => (await connector.source('erp')).lastError !== null);
    expect((await connector.source('erp')).lastError).toBe('the server answered 302: redirects are not followed');
    await connector.publish();
  });

  test('Retry-After is kept, whoever asks; without it somebody may ask at once', async () => {
    lab.server.answerNext({ status: 500 });
    answers(() => []);
    const connector = await polled(poller('/'));
    expect((await connector.source('erp')).lastError).toBe('the server answered 500');
    await connector.poll('erp');
    await until('it is read', async () => (await connector.source('erp')).lastError === null);
    lab.server.answerNext({ status: 429, headers: { 'retry-after': '1' } });
    await connector.poll('erp');
    await until('it is refused', async () => (await connector.source('erp')).lastError !== null);
    const refusedAt = (await connector.source('erp')).lastPollAt!;
    await connector.poll('erp');
    await until('it is read', async () => (await connector.source('erp')).lastError === null);
    expect((await connector.source('erp')).lastPollAt!.getTime()).toBeGreaterThanOrEqual(refusedAt.getTime() + 1_000);
  });

  test('nothing is read while the connector is paused or the source is off; what was asked for runs afterwards', async () => {
    answers(() => [{ id: 1 }]);
    const connector = await lab.connector(poller('/stopped'));
    await connector.setStatus('paused');
    await connector.poll('erp');
    const other = await polled(poller('/other'));
    expect(other.events()).toHaveLength(1);
    expect(connector.events()).toEqual([]);
    expect(paths()).not.toContain('/stopped');
    await connector.setStatus('active');
    await until('it is read', () => connector.events().length === 1);
    await connector.enable('erp', false);
    await connector.poll('erp');
    await polled(poller('/third'));
    expect(connector.events()).toHaveLength(1);
    await connector.enable('erp', true);
    await until('it is read', () => connector.events().length === 2);
  });

  test('a schedule is an event per tick at the time that it was due; ticks that were missed are made up by one', async () => {
    const ticks: Source = { name: 'erp', type: 'scheduled', config: { schedule: '* * * * *', payload: { report: 'daily' } } };
    const connector = await lab.connector(ticks);
    await until('it is planned', async () => (await planned(connector.id)) !== null);
    expect(connector.events()).toEqual([]);
    await lab.pool.query(
      "UPDATE connector_sources SET next_due_at = '2026-03-02T10:00:00Z' WHERE connector_id = $1", [connector.id]);
    await connector.publish(ticks);
    await until('it ticks', () => connector.events().length > 0);
    expect(connector.events()).toMatchObject([
      { event_type: 'erp.tick', timestamp: '2026-03-02T10:00:00.000Z', payload: { report: 'daily' }, source_type: 'scheduled' },
    ]);
    await until('the next one is ahead', async () => (await planned(connector.id))! > new Date());
    expect(connector.events()).toHaveLength(1);
  });

  const planned = async (id: string): Promise<Date | null> =>
    (await lab.pool.query('SELECT next_due_at FROM connector_sources WHERE connector_id = $1', [id])).rows[0].next_due_at;
});
