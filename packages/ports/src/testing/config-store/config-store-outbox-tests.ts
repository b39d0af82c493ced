import { randomUUID } from 'node:crypto';
import { connectorChanges, type ConnectorChange } from '@sluice/contracts';
import type { OutboxMessage, OutboxOutcome } from '../../config-store';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, allPublished, aMail, createFeed } from './config-store-lab';

/** The outbox that carries changes away, and the mails. */
export function configOutboxTests(lab: () => ConfigStoreLab): void {
  const outbox = () => lab().store.outbox;
  /** Three messages of three connectors, nothing else waiting. */
  const three = async (): Promise<string[]> => {
    await createFeed(lab()).of('');
    return [(await aConnector(lab())).id, (await aConnector(lab())).id, (await aConnector(lab())).id];
  };

  it('hands messages over oldest first, and removes what was published', async () => {
    const ids = await three();
    const seen: OutboxMessage[] = [];
    const publish = async (messages: OutboxMessage[]): Promise<OutboxOutcome> => {
      seen.push(...messages);
      return allPublished(messages);
    };
    expect([await outbox().drain(2, publish), await outbox().drain(2, publish), await outbox().drain(2, publish)]).toEqual([
      2, 1, 0,
    ]);
    expect(seen.map(({ topic, key, payload }) => [topic, key, (payload as ConnectorChange).connector_id])).toEqual(
      ids.map((id) => [connectorChanges.name, id, id]),
    );
    expect(seen.every(({ id }, index) => index === 0 || id > seen[index - 1]!.id)).toBe(true);
  });

  it('keeps what could not be published', async () => {
    const ids = await three();
    expect(await outbox().drain(10, async () => ({ published: [], setAside: [] }))).toBe(0);
    await expect(outbox().drain(10, () => Promise.reject(new Error('the broker is gone')))).rejects.toThrow('the broker is gone');
    const keys: string[] = [];
    expect(await outbox().drain(10, async (messages) => {
      keys.push(...messages.map(({ key }) => key));
      return allPublished(messages);
    })).toBe(3);
    expect(keys).toEqual(ids);
  });

  it('has one relay at a time', async () => {
    await three();
    const inside: (number | 'busy')[] = [];
    const handed = await outbox().drain(10, async (messages) => {
      inside.push(await lab().other.outbox.drain(10, async (others) => allPublished(others)));
      return allPublished(messages);
    });
    expect([handed, inside]).toEqual([3, ['busy']]);
    expect(await lab().other.outbox.drain(10, async (messages) => allPublished(messages))).toBe(0);
  });

  it('says how many wait, and how long the oldest has', async () => {
    await three();
    const { waiting, oldestMs, setAside } = await outbox().backlog();
    expect([waiting, oldestMs >= 0, setAside]).toEqual([3, true, 0]);
    await outbox().drain(10, async (messages) => allPublished(messages));
    expect(await outbox().backlog()).toEqual({ waiting: 0, oldestMs: 0, setAside: 0 });
  });

  it('says which is the newest that waits, of all and up to one', async () => {
    expect(await outbox().newestWaiting()).toBeNull();
    await three();
    const ids: bigint[] = [];
    await outbox().drain(10, async (messages) => {
      ids.push(...messages.map(({ id }) => id));
      return { published: [ids[2]!], setAside: [] };
    });
    expect(await outbox().newestWaiting()).toBe(ids[1]);
    expect(await outbox().newestWaiting(ids[0])).toBe(ids[0]);
    expect(await outbox().newestWaiting(ids[0]! - 1n)).toBeNull();
    await outbox().drain(10, async (messages) => allPublished(messages));
    expect(await outbox().newestWaiting()).toBeNull();
  });

  it('removes what was published of a round, and keeps the rest in order', async () => {
    const ids = await three();
    expect(await outbox().drain(10, async (messages) => ({ published: [messages[1]!.id], setAside: [] }))).toBe(1);
    const keys: string[] = [];
    await outbox().drain(10, async (messages) => {
      keys.push(...messages.map(({ key }) => key));
      return allPublished(messages);
    });
    expect(keys).toEqual([ids[0], ids[2]]);
  });

  it('keeps what was set aside, without handing it over, until the next message of its key was published', async () => {
    const { id, organizationId } = await aConnector(lab());
    const other = await aConnector(lab());
    await createFeed(lab()).of('');
    const change = (connector: { id: string; organizationId: string }) =>
      lab().store.connectors.update(connector.organizationId, connector.id, { name: 'Changed', updatedById: null });
    const allSetAside = async (messages: OutboxMessage[]): Promise<OutboxOutcome> =>
      ({ published: [], setAside: messages.map((message) => ({ id: message.id, reason: `too large: ${message.key}` })) });
    await change({ id, organizationId });
    await change(other);
    expect(await outbox().drain(10, allSetAside)).toBe(2);
    expect(await outbox().backlog()).toEqual({ waiting: 0, oldestMs: 0, setAside: 2 });
    expect(await outbox().drain(10, async () => { throw new Error('nothing is to be handed over'); })).toBe(0);
    const [newest, before] = await outbox().setAside(10);
    expect([newest!.key, before!.key]).toEqual([other.id, id]);
    expect(before).toMatchObject({ topic: connectorChanges.name, reason: `too large: ${id}`, at: expect.any(Date) });
    expect(Number(before!.bytes)).toBeGreaterThan(100);
    expect(await outbox().setAside(1)).toHaveLength(1);
    await change({ id, organizationId });
    expect(await outbox().drain(10, async (messages) => allPublished(messages))).toBe(1);
    expect((await outbox().setAside(10)).map(({ key }) => key)).toEqual([other.id]);
    await change(other);
    expect(await outbox().drain(10, async (messages) => allPublished(messages))).toBe(1);
  });

  it('keeps mails until their links are worth nothing, newest first, for one recipient or all', async () => {
    const [ann, bob] = [`${randomUUID()}@x.example`, `${randomUUID()}@x.example`];
    const [one, two, late, old] = [aMail(ann), aMail(bob), aMail(ann, { kind: 'invitation' }), aMail(ann, { ttlMs: -1 })];
    for (const mail of [one, two, late, old]) await lab().store.mails.add(mail);
    const { ttlMs: _, ...kept } = late;
    const list = await lab().other.mails.list(ann, 10);
    expect(list.map(({ id }) => id)).toEqual([late.id, one.id]);
    expect(list[0]).toEqual({ ...kept, createdAt: expect.any(Date) });
    expect((await lab().store.mails.list(null, 100)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([one.id, two.id, late.id]),
    );
    expect(await lab().store.mails.list(null, 1)).toHaveLength(1);
  });
}
