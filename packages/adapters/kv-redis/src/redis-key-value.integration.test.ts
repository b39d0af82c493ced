import { randomUUID } from 'node:crypto';
import { keyValueConformance, until } from '@sluice/ports/testing';
import { cutProxy, describeWithRedis, startRedis, testRedis } from '@sluice/testkit';
import { createRedisKeyValue } from './create-redis-key-value';

describeWithRedis('a real Redis', () => {
  keyValueConformance('the key-value store on Redis', async () => {
    const { url } = testRedis();
    const prefix = `${randomUUID()}:`;
    return {
      // The machine that runs the tests may be busy: what is tested here is not the timeout.
      open: async () => createRedisKeyValue({ url, prefix, timeoutMs: 5_000 }),
      close: async () => undefined,
    };
  });

  it('throws KeyValueUnavailable at once while Redis is down, and comes back by itself', async () => {
    const redis = await startRedis();
    const store = createRedisKeyValue({ url: redis.url });
    try {
      await store.set('a', '1', { ttlMs: 60_000 });
      await redis.kill();
      await until('the loss to be noticed', () => !store.healthy());
      const refusals = await Promise.allSettled(Array.from({ length: 100 }, () => store.increment('a', 1, { ttlMs: 1_000 })));
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ status: 'rejected', reason: { name: 'KeyValueUnavailable' } });
      await redis.restart();
      await until('health', () => store.healthy());
      expect(await store.increment('a', 1, { ttlMs: 1_000 })).toBe(1);
    } finally {
      await store.close();
      await redis.stop();
    }
  });

  it('gives up on a Redis that does not answer, and replaces the connection', async () => {
    const url = new URL(testRedis().url);
    const proxy = await cutProxy(Number(url.port));
    url.port = String(proxy.port);
    const store = createRedisKeyValue({ url: url.href, prefix: randomUUID(), timeoutMs: 300 });
    try {
      await until('health', () => store.healthy());
      proxy.blackhole();
      await expect(store.get('a')).rejects.toMatchObject({ name: 'KeyValueUnavailable' });
      expect(store.healthy()).toBe(false);
      for (let count = 0; count < 3; count += 1) await store.get('a').catch(() => undefined);
      proxy.heal();
      await until('health', () => store.healthy());
      await store.set('a', 'b', { ttlMs: 1_000 });
    } finally {
      await store.close();
      await proxy.stop();
    }
  });

  it('never had a Redis: throws, and does not end the process', async () => {
    const store = createRedisKeyValue({ url: 'redis://127.0.0.1:1' });
    await expect(store.get('a')).rejects.toMatchObject({ name: 'KeyValueUnavailable' });
    await expect(store.slideWindow('a', { limit: 1, windowMs: 1 })).rejects.toMatchObject({ name: 'KeyValueUnavailable' });
    await store.close();
  });
});
