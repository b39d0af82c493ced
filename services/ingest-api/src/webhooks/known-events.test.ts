import { hook, invalid, mac, webhookShopOfTest } from './test-support/webhook-shop';

const { start, publish, send, json, api } = webhookShopOfTest();

describe('the same call again', () => {
  test('is the same event by its dedupe value, per source, and nothing is queued again', async () => {
    await start({ dedupe_header: 'X-Delivery' });
    publish(hook({ dedupe_header: 'X-Delivery' }), hook({ dedupe_path: '$.id' }, 'other'));
    const call = (id: string, n: number) => json({ n }, { headers: { 'x-delivery': id } });
    const first = (await call('d1', 1)).body;
    expect((await call('d1', 2)).body).toEqual(first);
    expect((await call('d2', 1)).body.event_id).not.toBe(first.event_id);
    const other = await json({ id: 'd1' }, { source: 'other' });
    expect(other.body.event_id).not.toBe(first.event_id);
    expect((await json({ id: 'd1', more: 1 }, { source: 'other' })).body).toEqual(other.body);
    expect((await json({ none: 1 }, { source: 'other' })).body.event_id).not.toBe(other.body.event_id);
    expect(api().messages()).toHaveLength(4);
  });

  test('at the same moment is queued once; calls with an event without a dedupe value are never the same', async () => {
    await start({ split_path: '$', dedupe_path: '$.id' });
    const together = (body: unknown) => Promise.all([1, 2, 3].map(() => json(body)));
    const lists = (answers: Awaited<ReturnType<typeof together>>) =>
      new Set(answers.map(({ status, body }) => `${status} ${body.event_ids}`));
    expect(lists(await together([{ id: 1 }, { id: 2 }])).size).toBe(1);
    expect(api().messages()).toHaveLength(2);
    expect(lists(await together([{ id: 3 }, { n: 4 }])).size).toBe(3);
    expect(lists(await together([])).size).toBe(1);
  });

  test('keeps its id while the key-value store is away, so that it runs once', async () => {
    await start({ dedupe_path: '$.id' });
    const first = (await json({ id: 1 })).body;
    api().faults.kvDown = true;
    expect((await json({ id: 1 })).body).toEqual(first);
    expect(new Set(api().envelopes().map(({ event_id }) => event_id)).size).toBe(1);
    expect(api().envelopes()[0]!.aliases!.length).toBeGreaterThan(0);
  });

  test('in a list: an element that came before keeps its id, and one that is there twice is queued once', async () => {
    await start({ split_path: '$', dedupe_path: '$.id' });
    const [one] = (await json([{ id: 1 }])).body.event_ids as string[];
    const ids = (await json([{ id: 2 }, { id: 1 }, { id: 2 }])).body.event_ids as string[];
    expect(ids).toEqual([ids[0], one, ids[0]]);
    expect(api().messages()).toHaveLength(2);
  });

  test('is queued when the first one was not', async () => {
    await start({ dedupe_path: '$.id' });
    api().faults.publish = 'refused';
    expect(await json({ id: 1 })).toMatchObject({ status: 503, body: { detail: { error: 'event_ingestion_unavailable' } } });
    api().faults.publish = 'unknown';
    expect((await json({ id: 1 })).status).toBe(502);
    delete api().faults.publish;
    expect((await json({ id: 1 })).status).toBe(202);
    expect(api().messages().length).toBeGreaterThan(0);
  });

  test('signed with the same time is recognized, signed with another one it is not', async () => {
    await start({ signature_timestamp_header: 'X-Time' });
    const at = (time: number) => {
      const text = String(Math.floor(time / 1_000));
      return { 'x-time': text, 'x-signature': mac(`${text}.{}`) };
    };
    const now = Date.now();
    const first = (await send({ headers: at(now) })).body;
    expect((await send({ headers: at(now) })).body).toEqual(first);
    expect((await send({ headers: at(now - 2_000) })).body.event_id).not.toBe(first.event_id);
    expect(await send({ headers: at(now - 400_000) })).toMatchObject(invalid);
  });
});
