import { randomUUID } from 'node:crypto';
import { connectorChanges, type ConnectorChange } from '@sluice/contracts';
import type { OutboxMessage } from '../config-store';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, createFeed } from './config-store-lab';

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
    const publish = async (messages: OutboxMessage[]): Promise<boolean> => seen.push(...messages) > 0;
    expect([await outbox().drain(2, publish), await outbox().drain(2, publish), await outbox().drain(2, publish)]).toEqual([2, 1, 0]);
    expect(seen.map(({ topic, key, payload }) => [topic, key, (payload as ConnectorChange).connector_id])).toEqual(ids.map((id) => [connectorChanges.name, id, id]));
    expect(seen.every(({ id }, index) => index === 0 || id > seen[index - 1]!.id)).toBe(true);
  });

  it('keeps what could not be published', async () => {
    const ids = await three();
    expect(await outbox().drain(10, async () => false)).toBe(0);
    await expect(outbox().drain(10, () => Promise.reject(new Error('the broker is gone')))).rejects.toThrow('the broker is gone');
    const keys: string[] = [];
    expect(await outbox().drain(10, async (messages) => keys.push(...messages.map(({ key }) => key)) > 0)).toBe(3);
    expect(keys).toEqual(ids);
  });

  it('has one relay at a time', async () => {
    await three();
    const inside: (number | 'busy')[] = [];
    const handed = await outbox().drain(10, async () => {
      inside.push(await lab().other.outbox.drain(10, async () => true));
      return true;
    });
    expect([handed, inside]).toEqual([3, ['busy']]);
    expect(await lab().other.outbox.drain(10, async () => true)).toBe(0);
  });

  it('says how many wait, and how long the oldest has', async () => {
    await three();
    const { waiting, oldestMs } = await outbox().backlog();
    expect([waiting, oldestMs >= 0]).toEqual([3, true]);
    await outbox().drain(10, async () => true);
    expect(await outbox().backlog()).toEqual({ waiting: 0, oldestMs: 0 });
  });

  it('keeps mails, newest first, for one recipient or all', async () => {
    const [ann, bob] = [`${randomUUID()}@x.example`, `${randomUUID()}@x.example`];
    const mail = (to: string, subject: string) => ({ to, subject, text: 'Hello', links: ['https://x.example/a'] });
    await lab().store.mails.add(mail(ann, 'one'));
    await lab().store.mails.add(mail(bob, 'two'));
    expect(await lab().store.mails.list(ann, 10)).toEqual([{ ...mail(ann, 'one'), sentAt: expect.any(Date) }]);
    expect((await lab().store.mails.list(null, 10)).map(({ subject }) => subject).sort()).toEqual(['one', 'two']);
    expect(await lab().store.mails.list(null, 1)).toHaveLength(1);
  });
}
