import { randomUUID } from 'node:crypto';
import type { FunctionCodeStore, StoredFunction } from '../../plugins/function-code-store';

/** What every store of functions' code must do. Call it at the top level of a test file. */
export function functionCodeConformance(name: string, open: () => Promise<FunctionCodeStore>): void {
  describe(`${name} keeps the code of functions`, () => {
    let store: FunctionCodeStore;
    let fn: StoredFunction;
    beforeAll(async () => {
      store = await open();
    });
    beforeEach(() => {
      fn = { functionArn: `arn:sluice:local:function:${randomUUID()}`, organizationId: randomUUID() };
    });
    const codeOf = async ({ functionArn }: StoredFunction, qualifier: number | '$LATEST'): Promise<string | null> => {
      const version = await store.find(functionArn, qualifier);
      return version && store.code(version);
    };

    it('answers nothing for what is not there', async () => {
      expect(await store.find(fn.functionArn, '$LATEST')).toBeNull();
      expect(await store.find(fn.functionArn, 1)).toBeNull();
      expect(await store.code({ organizationId: fn.organizationId, sha256: 'a'.repeat(64) })).toBeNull();
      await store.remove(fn.functionArn);
    });

    it('replaces $LATEST, and knows no version before one is published', async () => {
      await store.putLatest(fn, 'first');
      await store.putLatest(fn, 'sécond');
      expect(await codeOf(fn, '$LATEST')).toBe('sécond');
      expect(await store.find(fn.functionArn, 1)).toBeNull();
    });

    it('publishes numbered versions that never change', async () => {
      expect(await store.publish(fn, 'one', 'op-1')).toBe(1);
      expect(await store.publish(fn, 'two', 'op-2')).toBe(2);
      expect(await store.publish(fn, 'two', 'op-3')).toBe(3);
      await store.putLatest(fn, 'later');
      expect(await Promise.all([1, 2, 3, '$LATEST' as const].map((qualifier) => codeOf(fn, qualifier)))).toEqual([
        'one', 'two', 'two', 'later',
      ]);
      expect(await store.find(fn.functionArn, 4)).toBeNull();
      expect(await store.find(fn.functionArn, 0)).toBeNull();
      expect(await store.find(fn.functionArn, -1)).toBeNull();
      expect(await store.find(fn.functionArn, 2 ** 40)).toBeNull();
    });

    it('answers the version of an operation again, and changes nothing', async () => {
      await store.publish(fn, 'one', 'op-1');
      await store.publish(fn, 'two', 'op-2');
      expect(await store.publish(fn, 'one', 'op-1')).toBe(1);
      expect(await codeOf(fn, '$LATEST')).toBe('two');
      expect(await store.find(fn.functionArn, 3)).toBeNull();
    });

    it('gives operations at the same moment different versions, and one operation one', async () => {
      const operations = ['a', 'b', 'c', 'd', 'a', 'b'];
      const versions = await Promise.all(operations.map((operation) => store.publish(fn, `code ${operation}`, operation)));
      expect(versions.slice(0, 4).sort()).toEqual([1, 2, 3, 4]);
      expect(versions.slice(4)).toEqual(versions.slice(0, 2));
      for (const [index, operation] of operations.entries())
        expect(await codeOf(fn, versions[index]!)).toBe(`code ${operation}`);
    });

    it('keeps organizations apart, also with the same code', async () => {
      const other = { functionArn: `${fn.functionArn}-b`, organizationId: randomUUID() };
      await store.putLatest(fn, 'shared text');
      await store.putLatest(other, 'shared text');
      const mine = (await store.find(fn.functionArn, '$LATEST'))!;
      expect(mine.organizationId).toBe(fn.organizationId);
      await store.remove(other.functionArn);
      expect(await store.code(mine)).toBe('shared text');
      expect(await store.code({ ...mine, organizationId: other.organizationId })).toBeNull();
    });

    it('removes a function with its versions, and the code that no other has', async () => {
      const second = { ...fn, functionArn: `${fn.functionArn}-dev-1` };
      await store.publish(fn, 'kept', 'op-1');
      await store.publish(fn, 'gone', 'op-2');
      await store.putLatest(second, 'kept');
      const gone = (await store.find(fn.functionArn, 2))!;
      await store.remove(fn.functionArn);
      await store.remove(fn.functionArn);
      expect(await store.find(fn.functionArn, 1)).toBeNull();
      expect(await store.find(fn.functionArn, '$LATEST')).toBeNull();
      expect(await store.code(gone)).toBeNull();
      expect(await codeOf(second, '$LATEST')).toBe('kept');
    });

    it('takes code of 5 MiB, with any characters', async () => {
      const code = `/* \u2028 'quotes' \\ ${'ä'.repeat(2_600_000)} */`;
      await store.putLatest(fn, code);
      expect((await codeOf(fn, '$LATEST')) === code).toBe(true);
    });
  });
}
