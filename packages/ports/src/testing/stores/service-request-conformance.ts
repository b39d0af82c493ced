import { randomUUID } from 'node:crypto';
import type { ServiceRequestStore } from '../../tasks/service-request-store';

export interface ServiceRequestLab {
  store: ServiceRequestStore;
  close(): Promise<void>;
}

/** What every store of requests between services must do. Call it at the top level of a test file. */
export function serviceRequestConformance(name: string, makeLab: () => Promise<ServiceRequestLab>): void {
  describe(`${name} keeps requests between services`, () => {
    let lab: ServiceRequestLab;
    beforeEach(async () => { lab = await makeLab(); });
    afterEach(() => lab.close());

    const body = { rows: [{ id: 'a', text: 'ä\u2028"', none: null }], count: 2 };
    const add = async (): Promise<string> => {
      const id = randomUUID();
      await lab.store.add({ id, kind: 'verify', body });
      return id;
    };

    it('open until they are answered, with what was asked', async () => {
      const id = await add();
      expect(await lab.store.open(id)).toEqual({ id, kind: 'verify', body });
      expect(await lab.store.take(id)).toBeNull();
      expect(await lab.store.answer(id, { entities: [body] })).toBe(true);
      expect(await lab.store.open(id)).toBeNull();
    });

    it('and their answer until it is taken; the first one counts, also when several come at once', async () => {
      const id = await add();
      const stored = await Promise.all([1, 2, 3].map((number) => lab.store.answer(id, { number })));
      expect(stored.filter(Boolean)).toHaveLength(1);
      expect(await lab.store.take(id)).toEqual({ answer: { number: stored.indexOf(true) + 1 } });
      expect(await lab.store.take(id)).toBeNull();
      expect(await lab.store.answer(id, { number: 4 })).toBe(false);
    });

    it('an answer may be null', async () => {
      const id = await add();
      expect(await lab.store.answer(id, null)).toBe(true);
      expect(await lab.store.take(id)).toEqual({ answer: null });
    });

    it('no longer than somebody waits for them, and not when they are old', async () => {
      const [left, old] = [await add(), await add()];
      await lab.store.remove(left);
      expect([await lab.store.open(left), await lab.store.answer(left, 1)]).toEqual([null, false]);
      expect(await lab.store.deleteOlder(60_000)).toBe(0);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      expect(await lab.store.deleteOlder(1)).toBe(1);
      expect([await lab.store.open(old), await lab.store.take(old)]).toEqual([null, null]);
    });

    it('of names that are none: they are not there', async () => {
      for (const id of ['', 'nonsense', 'a\0b'])
        expect([await lab.store.open(id), await lab.store.take(id), await lab.store.answer(id, 1)]).toEqual([null, null, false]);
    });
  });
}
