import { payloadFolder } from '@sluice/event-intake';
import { exportFolder, silentLogger } from '@sluice/ports';
import { createMemoryBlobStore } from '@sluice/ports/testing';
import { deleteOldPayloads } from './delete-old-payloads';

const dayMs = 86_400_000;

describe('deleteOldPayloads', () => {
  const keptAfter = async (days: number, retention: { payloadRetentionMs: number; eventTtlMs: number }): Promise<boolean> => {
    const blobs = createMemoryBlobStore();
    const key = `${payloadFolder}/connector/event/0.json`;
    await blobs.put(key, Buffer.from('{}'));
    const exported = `${exportFolder}/connector/run/contacts.csv`;
    for (const other of [exported, 'others/kept.csv']) await blobs.put(other, Buffer.from('a'));
    const index = { storeTime: async () => new Date(Date.now() + days * dayMs) };
    await deleteOldPayloads({ blobs, logger: silentLogger, index, ...retention });
    expect(await blobs.get('others/kept.csv')).not.toBeNull();
    const [payload, file] = [await blobs.get(key), await blobs.get(exported)];
    expect(file === null).toBe(payload === null);
    return payload !== null;
  };

  it('deletes payloads and exported files a day after their retention', async () => {
    const retention = { payloadRetentionMs: 30 * dayMs, eventTtlMs: 14 * dayMs };
    expect(await keptAfter(30.5, retention)).toBe(true);
    expect(await keptAfter(31.5, retention)).toBe(false);
  });

  it('keeps them for as long as their event may wait', async () => {
    const retention = { payloadRetentionMs: dayMs, eventTtlMs: 14 * dayMs };
    expect(await keptAfter(14.5, retention)).toBe(true);
    expect(await keptAfter(15.5, retention)).toBe(false);
  });
});
