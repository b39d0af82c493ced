import { randomUUID } from 'node:crypto';
import type { PluginRow } from '../../config-store';
import { durationClassOf, type PluginRunNote, type PluginWrite } from '../../plugins/plugin-run-store';
import { type PluginLab, PluginScene } from './plugin-lab';
import { until } from '../shared/until';

const hourMs = 3_600_000;
const hourAgo = (): Date => new Date(Date.now() - hourMs);

/** What runs of plugins read and leave. */
export function pluginRunTests(lab: () => PluginLab): void {
  let scene: PluginScene;
  let plugin: PluginRow;
  let connectorId: string;
  let arn: string;
  beforeEach(async () => {
    scene = await PluginScene.open(lab());
    plugin = await scene.livePlugin();
    connectorId = await scene.user(plugin);
    arn = scene.functionOf(plugin.id).functionArn;
  });

  describe('the store of a plugin', () => {
    const write = (key: string, value: unknown, over: Partial<PluginWrite> = {}): PluginWrite =>
      ({ functionArn: arn, key, value, ttlSeconds: null, ...over });
    const read = async (keys: string[], functionArn = arn, connector = connectorId) =>
      Object.fromEntries(await lab().runs.values(connector, functionArn, keys));

    it('has the last value of each key; null is one', async () => {
      await scene.write(connectorId, [write('a', 1), write('a', { deep: ['ä', null] }), write('n', null)]);
      expect(await read(['a', 'n', 'missing'])).toEqual({ a: { deep: ['ä', null] }, n: null });
      await scene.write(connectorId, [write('a', 'later')]);
      expect(await read(['a'])).toEqual({ a: 'later' });
      expect(await read([])).toEqual({});
    });

    it('takes any key and any value of JSON', async () => {
      const key = '__proto__ \u0000 "é" ';
      await scene.write(connectorId, [write(key, 'zero \u0000 in it'), write('', [])]);
      const values = await lab().runs.values(connectorId, arn, [key, '']);
      expect([...values]).toEqual(expect.arrayContaining([[key, 'zero \u0000 in it'], ['', []]]));
    });

    it('is one for all functions of the plugin, and another for each connector and plugin', async () => {
      const other = await scene.livePlugin();
      const second = await scene.user(plugin);
      await scene.write(connectorId, [write('a', 'mine')]);
      await scene.write(second, [write('a', 'of the second')]);
      await scene.write(connectorId, [write('a', 'of the other', { functionArn: scene.functionOf(other.id).functionArn })]);
      expect(await read(['a'])).toEqual({ a: 'mine' });
      expect(await read(['a'], scene.functionOf(plugin.id, 'dev-1').functionArn)).toEqual({ a: 'mine' });
      expect(await read(['a'], arn, second)).toEqual({ a: 'of the second' });
      expect(await read(['a'], scene.functionOf(other.id).functionArn)).toEqual({ a: 'of the other' });
      expect(await read(['a'], 'arn:unknown')).toEqual({});
    });

    it('lets a value expire, and sweeps it', async () => {
      await scene.write(connectorId, [write('short', 1, { ttlSeconds: 0.05 }), write('long', 2, { ttlSeconds: 3_600 })]);
      await until('the value has expired', async () => Object.keys(await read(['short', 'long'])).length === 1);
      expect(await read(['short', 'long'])).toEqual({ long: 2 });
      await lab().runs.sweep({ logs: hourAgo(), metrics: hourAgo() });
      expect(await read(['short', 'long'])).toEqual({ long: 2 });
      await scene.write(connectorId, [write('long', 3)]);
      expect(await read(['long'])).toEqual({ long: 3 });
    });

    it('ends with its connector and with its plugin', async () => {
      await scene.write(connectorId, [write('a', 1)]);
      await lab().store.connectors.delete(scene.organizationId, connectorId);
      expect(await read(['a'])).toEqual({});
      const next = await scene.connector();
      await scene.write(next, [write('a', 2)]);
      expect(await read(['a'], arn, next)).toEqual({ a: 2 });
      await lab().store.plugins.remove(scene.organizationId, plugin.id);
      await scene.write(next, [write('a', 3)]);
      expect(await read(['a'], arn, next)).toEqual({});
    });
  });

  describe('logs and metrics', () => {
    const run = (over: Partial<PluginRunNote> = {}): PluginRunNote => ({
      functionArn: arn, version: '1', connectorId, eventId: 'evt_1', durationMs: 12, memoryMb: 3.2, outcome: 'ok', logs: [],
      ...over,
    });
    const line = (message: string, at: number, level: 'debug' | 'info' | 'warn' | 'error' = 'info') => ({ at, level, message });
    const many = 1_000;
    const everything = { limit: 100 };

    it('has zeros for a plugin that never ran', async () => {
      const metrics = await lab().runs.metrics(plugin.id, hourAgo());
      expect(metrics).toMatchObject({ invocations: 0, errors: 0, retries: 0, memoryMb: 0 });
      expect(new Set(metrics.durations)).toEqual(new Set([0]));
      expect(await lab().runs.logs(plugin.id, everything)).toEqual({ items: [], nextCursor: null });
    });

    it('adds runs up, of all functions of the plugin', async () => {
      await lab().runs.note([run(), run({ outcome: 'error', durationMs: 900 }), run({ functionArn: 'arn:unknown' })], many);
      const dev = scene.functionOf(plugin.id, 'dev-1').functionArn;
      await lab().runs.note([run({ functionArn: dev, version: '$LATEST', outcome: 'retry', memoryMb: 70 }), run()], many);
      const metrics = await lab().runs.metrics(plugin.id, hourAgo());
      expect(metrics).toMatchObject({ invocations: 4, errors: 1, retries: 1, memoryMb: 70 });
      expect(metrics.durations[durationClassOf(12)]).toBe(3);
      expect(metrics.durations[durationClassOf(900)]).toBe(1);
      expect(await lab().runs.metrics(plugin.id, new Date(Date.now() + 2 * hourMs))).toMatchObject({ invocations: 0 });
    });

    it('counts runs that are noted at the same moment', async () => {
      await Promise.all(Array.from({ length: 8 }, () => lab().runs.note([run(), run()], many)));
      expect(await lab().runs.metrics(plugin.id, hourAgo())).toMatchObject({ invocations: 16 });
    });

    it('answers lines newest first, page by page', async () => {
      const at = Date.now();
      await lab().runs.note([run({ logs: [line('one', at - 3), line('two', at - 2, 'warn')] })], many);
      await lab().runs.note([
        run({ connectorId: null, eventId: null, version: '$LATEST', logs: [line('three', at - 1), line('four', at - 1)] }),
      ], many);
      const first = (await lab().runs.logs(plugin.id, { limit: 3 }))!;
      expect(first.items.map(({ message }) => message)).toEqual(['four', 'three', 'two']);
      expect(first.items[0]).toEqual({
        at: new Date(at - 1), level: 'info', message: 'four', version: '$LATEST', eventId: null, connectorId: null,
      });
      const second = (await lab().runs.logs(plugin.id, { limit: 3, cursor: first.nextCursor! }))!;
      expect(second).toMatchObject({
        items: [{ message: 'one', eventId: 'evt_1', connectorId, version: '1' }], nextCursor: null,
      });
      expect(await lab().runs.logs(plugin.id, { ...everything, level: 'warn' })).toMatchObject({ items: [{ message: 'two' }] });
      expect((await lab().runs.logs(plugin.id, { ...everything, since: new Date(at - 2) }))!.items).toHaveLength(3);
      for (const cursor of ['x', '', 'eyJ9', 'W10'])
        expect(await lab().runs.logs(plugin.id, { ...everything, cursor })).toBeNull();
    });

    it('keeps only so many lines of a plugin an hour', async () => {
      const at = Date.now();
      const logs = Array.from({ length: 4 }, (_, index) => line(`line ${index}`, at + index));
      await lab().runs.note([run({ logs })], 6);
      await lab().runs.note([run({ logs })], 6);
      await lab().runs.note([run({ logs })], 6);
      expect((await lab().runs.logs(plugin.id, everything))!.items).toHaveLength(6);
      expect(await lab().runs.metrics(plugin.id, hourAgo())).toMatchObject({ invocations: 3 });
    });

    it('keeps any text', async () => {
      await lab().runs.note([run({ eventId: 'e\u0000', logs: [line('a \u0000 b \ud800', Date.now())] })], many);
      const { items } = (await lab().runs.logs(plugin.id, everything))!;
      expect(items).toHaveLength(1);
    });

    it('sweeps what is old', async () => {
      await lab().runs.note([run({ logs: [line('old', Date.now() - 2 * hourMs), line('new', Date.now())] })], many);
      await lab().runs.sweep({ logs: hourAgo(), metrics: new Date(Date.now() - 2 * hourMs) });
      expect(await lab().runs.logs(plugin.id, everything)).toMatchObject({ items: [{ message: 'new' }] });
      expect(await lab().runs.metrics(plugin.id, hourAgo())).toMatchObject({ invocations: 1 });
      await lab().runs.sweep({ logs: hourAgo(), metrics: new Date(Date.now() + hourMs) });
      expect(await lab().runs.metrics(plugin.id, hourAgo())).toMatchObject({ invocations: 0 });
    });

    it('leaves nothing of a deleted plugin', async () => {
      const unused = await scene.livePlugin();
      const { functionArn } = scene.functionOf(unused.id);
      await lab().store.plugins.remove(scene.organizationId, unused.id);
      await lab().runs.note([run({ functionArn, logs: [line('late', Date.now())] })], many);
      expect(await lab().runs.metrics(unused.id, hourAgo())).toMatchObject({ invocations: 0 });
      expect(await lab().runs.logs(randomUUID(), everything)).toEqual({ items: [], nextCursor: null });
    });
  });
}
