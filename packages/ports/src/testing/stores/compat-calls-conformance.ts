import { randomUUID } from 'node:crypto';
import type { CompatCallStore } from '../../sources/compat-call-store';

/** A store, and a connector whose calls it may keep. */
export interface CompatCallsLab {
  store: CompatCallStore;
  connectorId: string;
  close(): Promise<void>;
}

/** What every store of compat calls must do. Call it at the top level of a test file. */
export function compatCallsConformance(name: string, makeLab: () => Promise<CompatCallsLab>): void {
  describe(`${name} keeps calls of the legacy-compatible ingress`, () => {
    let lab: CompatCallsLab;
    beforeEach(async () => { lab = await makeLab(); });
    afterEach(() => lab.close());

    const request = { version: '1', zebra: 'ä', entities: [{ externalObjectId: 'b' }, { externalObjectId: 'a' }], apple: null };
    const add = async (callId = `evt_${randomUUID()}`): Promise<string> => {
      const { connectorId, store } = lab;
      await store.add({ callId, connectorId, eventType: 'order', split: 'entities', request, units: 2 });
      return callId;
    };

    it('as they came, with their keys in order', async () => {
      const { connectorId, store } = lab;
      const before = Date.now();
      const call = await store.get(connectorId, await add());
      expect(call).toMatchObject({ connectorId, eventType: 'order', split: 'entities', units: 2, run: 'first', queued: false });
      expect(JSON.stringify(call!.request)).toBe(JSON.stringify(request));
      expect(call!.createdAt).toEqual(call!.updatedAt);
      expect(Math.abs(call!.createdAt.getTime() - before)).toBeLessThan(60_000);
    });

    it('and what became of their runs: a later run moves the time, an earlier one changes nothing any more', async () => {
      const { connectorId, store } = lab;
      const callId = await add();
      await store.queued(connectorId, callId, 'first');
      const first = (await store.get(connectorId, callId))!;
      expect(first).toMatchObject({ run: 'first', queued: true, updatedAt: first.createdAt });
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      await store.begin(connectorId, callId, 'resend-1');
      await store.queued(connectorId, callId, 'first');
      const second = (await store.get(connectorId, callId))!;
      expect(second).toMatchObject({ run: 'resend-1', queued: false, createdAt: first.createdAt });
      expect(second.updatedAt.getTime()).toBeGreaterThan(first.updatedAt.getTime());
      await store.queued(connectorId, callId, 'resend-1');
      expect(await store.get(connectorId, callId)).toMatchObject({ run: 'resend-1', queued: true, updatedAt: second.updatedAt });
    });

    it('of their connector alone, and until they are old', async () => {
      const { connectorId, store } = lab;
      const callId = await add();
      expect(
        [await store.get(randomUUID(), callId), await store.get('nonsense', callId), await store.get(connectorId, 'x\0')],
      ).toEqual(
        [null, null, null],
      );
      await store.begin(randomUUID(), callId, 'r');
      await store.queued('nonsense', callId, 'first');
      expect(await store.get(connectorId, callId)).toMatchObject({ run: 'first', queued: false });
      expect(await store.deleteOlder(60_000)).toBe(0);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      expect(await store.deleteOlder(1)).toBeGreaterThanOrEqual(1);
      expect(await store.get(connectorId, callId)).toBeNull();
    });
  });
}
