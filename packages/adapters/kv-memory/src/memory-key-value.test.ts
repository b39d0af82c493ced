import { keyValueConformance } from '@sluice/ports/testing';
import type { KeyValue } from '@sluice/ports';
import { createExpiringMap } from './expiring-map';
import { createMemoryKeyValue } from './create-memory-key-value';

keyValueConformance('the in-memory key-value store', async () => {
  const shared = createMemoryKeyValue();
  return {
    // One memory, several views, each with an end of its own.
    open: async () => {
      const own = createMemoryKeyValue();
      let closed = false;
      return new Proxy(shared, {
        get: (target, name: keyof KeyValue) => {
          if (name === 'close') return async () => void ((closed = true), await own.close());
          return closed ? own[name] : target[name];
        },
      });
    },
    close: () => shared.close(),
  };
});

describe('createMemoryKeyValue', () => {
  it('throws while a test says that it is away', async () => {
    let away = true;
    const store = createMemoryKeyValue({ unavailable: () => away });
    await expect(store.get('a')).rejects.toMatchObject({ name: 'KeyValueUnavailable' });
    expect(store.healthy()).toBe(false);
    away = false;
    expect(await store.get('a')).toBeNull();
    await store.close();
  });
});

describe('createExpiringMap', () => {
  it('keeps at most so many keys: the oldest goes', () => {
    const map = createExpiringMap<number>(2, () => 0);
    map.set('a', 1, 10);
    map.set('b', 2, 10);
    map.set('a', 3, 10);
    map.set('c', 4, 10);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size()]).toEqual([3, undefined, 4, 2]);
  });

  it('sweeps what has ended', () => {
    let time = 0;
    const map = createExpiringMap<number>(10, () => time);
    map.set('a', 1, 5);
    map.set('b', 1, 50);
    time = 5;
    map.sweep();
    expect(map.size()).toBe(1);
  });
});
