import { context, trace } from '@opentelemetry/api';
import { createServer } from 'node:http';
import request from 'supertest';
import { createHealth } from './create-health';
import { createMetrics } from './create-metrics';
import { healthHandler } from './health-handler';
import { extractTrace, injectTrace, setupTracing, withSpan } from './tracing';

describe('metrics', () => {
  test('carry prefix and service, and are shared by name between services', async () => {
    const metrics = createMetrics({ service: 'one' });
    const spec = { name: 'events_total', help: 'Events.', labels: ['kind'] } as const;
    metrics.counter(spec).inc({ kind: 'a' });
    metrics.counter(spec).inc({ kind: 'a' }, 2);
    metrics.forService('two').counter(spec).inc({ kind: 'a' });
    const text = await metrics.render();
    expect(text).toContain('sluice_events_total{kind="a",service="one"} 3');
    expect(text).toContain('sluice_events_total{kind="a",service="two"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('gauges are collected for every service on each read', async () => {
    const metrics = createMetrics({ service: 'one' });
    let value = 1;
    metrics.gauge({ name: 'lag', help: 'Lag.' }, (gauge) => gauge.set(value));
    metrics.forService('two').gauge({ name: 'lag', help: 'Lag.' }, async (gauge) => gauge.set(value * 10));
    await metrics.render();
    value = 2;
    const text = await metrics.render();
    expect(text).toContain('sluice_lag{service="one"} 2');
    expect(text).toContain('sluice_lag{service="two"} 20');
  });

  test('a gauge forgets what was set through it, not what another service has set', async () => {
    const metrics = createMetrics({ service: 'one' });
    const spec = { name: 'lag', help: 'Lag.', labels: ['topic'] } as const;
    const [one, two] = [metrics.gauge(spec), metrics.forService('two').gauge(spec)];
    one.set(1, { topic: 'a' });
    two.set(2, { topic: 'a' });
    one.reset();
    const text = await metrics.render();
    expect([text.includes('service="one"} 1'), text.includes('sluice_lag{topic="a",service="two"} 2')]).toEqual([false, true]);
  });

  test.each(['events', 'sluice_events_total', 'Events_total', 'events-total'])('a counter cannot be called %s', (name) => {
    expect(() => createMetrics({ service: 's' }).counter({ name, help: 'h' })).toThrow('not a usable name');
  });

  test('histograms time in seconds', async () => {
    const metrics = createMetrics({ service: 's' });
    const calls = metrics.histogram({ name: 'call_seconds', help: 'h', labels: ['to'], buckets: [1, 2] });
    calls.observe(1.5, { to: 'x' });
    calls.start({ to: 'y' })();
    const text = await metrics.render();
    expect(text).toContain('sluice_call_seconds_bucket{le="1",to="x",service="s"} 0');
    expect(text).toContain('sluice_call_seconds_bucket{le="2",to="x",service="s"} 1');
    expect(text).toContain('sluice_call_seconds_count{to="y",service="s"} 1');
  });
});

describe('health', () => {
  test('is what its checks say; a check that throws or hangs fails with a reason', async () => {
    const health = createHealth({ timeoutMs: 20 });
    expect(await health.ready()).toEqual({ status: 'ok', checks: {} });
    health.add('good', () => ({ ok: true }));
    health.add('throws', () => { throw new Error('broken'); });
    health.add('hangs', () => new Promise(() => undefined));
    expect(await health.ready()).toEqual({
      status: 'failing',
      checks: {
        good: { ok: true },
        throws: { ok: false, reason: 'broken' },
        hangs: { ok: false, reason: 'no answer within 20 ms' },
      },
    });
    expect(await health.live()).toEqual({ status: 'ok', checks: {} });
  });

  test('draining is not ready but alive, also seen from a process that includes it', async () => {
    const [all, part] = [createHealth(), createHealth()];
    all.include('part', part);
    part.add('db', () => ({ ok: true }));
    expect((await all.ready()).checks).toEqual({ 'part.db': { ok: true } });
    part.drain();
    expect(await all.ready()).toEqual({ status: 'failing', checks: { 'part.lifecycle': { ok: false, reason: 'stopping' } } });
    expect((await all.live()).status).toBe('ok');
  });

  test('is served on node:http: 200 or 503, metrics, and nothing else', async () => {
    const health = createHealth();
    health.add('db', () => ({ ok: false, reason: 'away' }));
    const serve = healthHandler({ health, metrics: createMetrics({ service: 's' }) });
    const server = createServer(
      (incoming, response) => void serve(incoming, response).then((done) => done || response.writeHead(418).end()),
    );
    const ready = await request(server).get('/readyz?x=1');
    expect([ready.status, ready.body]).toEqual([503, { status: 'failing', checks: { db: { ok: false, reason: 'away' } } }]);
    const live = await request(server).get('/livez').set('x-request-id', 'mine');
    expect([live.status, live.headers['x-request-id']]).toEqual([200, 'mine']);
    expect(ready.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await request(server).head('/livez')).text).toBeUndefined();
    expect((await request(server).get('/metrics')).text).toContain('nodejs_version_info');
    expect((await request(server).post('/readyz')).status).toBe(418);
    expect((await request(server).get('/other')).status).toBe(418);
  });
});

describe('tracing', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  beforeAll(() => setupTracing());

  test('a context that came in headers goes out in headers: same trace, another span', () => {
    const out = withSpan('work', {}, () => injectTrace({ other: 'x' }), extractTrace({ traceparent }));
    expect(out).toMatchObject({
      other: 'x',
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/),
    });
  });

  test('it is the same inside its span, across awaits', async () => {
    await withSpan('outer', {}, async () => {
      const first = injectTrace({}).traceparent;
      await new Promise(setImmediate);
      const second = withSpan('inner', {}, () => injectTrace({}).traceparent);
      expect(second?.slice(0, 36)).toBe(first?.slice(0, 36));
      expect(second).not.toBe(first);
    }, extractTrace({ traceparent }));
    expect(trace.getSpan(context.active())).toBeUndefined();
  });

  test('without one, and with nobody who records, there is no span', async () => {
    expect(await withSpan('outer', {}, async () => injectTrace({}))).toEqual({});
  });

  test('after the last span no context is active, not even in what it left behind', async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const activeLater = async (): Promise<boolean> => (await gate, trace.getSpan(context.active()) !== undefined);
    const leaveBehind = async (): Promise<{ later: Promise<boolean> }> => ({ later: activeLater() });
    const { later } = await withSpan('work', {}, leaveBehind, extractTrace({ traceparent }));
    goOn();
    expect(await later).toBe(false);
  });

  test('garbage in headers is no context, and errors pass on', async () => {
    expect(trace.getSpan(extractTrace({ traceparent: 'nonsense' }))).toBeUndefined();
    expect(trace.getSpan(extractTrace(undefined))).toBeUndefined();
    await expect(withSpan('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(() => withSpan('x', {}, () => { throw new Error('now'); })).toThrow('now');
  });
});
