import { type LogFields, monotonicClock, silentLogger, StoreUnavailable } from '@sluice/ports';
import { createHealth } from '../observe/create-health';
import { createMetrics } from '../observe/create-metrics';
import { healthApp } from '../observe/health-handler';
import request from 'supertest';
import { ReadingSupervisor } from './reading-supervisor';

const place = { topic: 'events.inbound', reader: 'flow-runner', partition: 3 };

function lab() {
  const lines: LogFields[] = [];
  const slept: number[] = [];
  const clock = { time: 0 };
  const metrics = createMetrics({ service: 'test' });
  const supervisor = new ReadingSupervisor({
    waitsMs: [1_000, 2_000], deadAfterMs: 60_000, metrics,
    logger: { ...silentLogger, error: (message, fields) => lines.push({ message, ...fields }) },
    monotonicNow: monotonicClock(() => clock.time),
    sleep: async (ms) => {
      slept.push(ms);
      clock.time += ms;
    },
  });
  return { supervisor, lines, slept, clock, metrics };
}

const sqlError = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code });

describe('ReadingSupervisor', () => {
  // One of every class of errors that is not an outage, and the two that were met.
  it.each(['58030', '28000', '28P01', '42P01', '42501', 'XX000', 'XX001', '22P02', '23505', '0A000', '54000', 'F0000', 'P0001'])(
    'processes a delivered batch after a database error %s, and logs the error once', async (code) => {
      const { supervisor, lines } = lab();
      const failures = [sqlError(code)];
      const taken = await supervisor.insist(place, async () => {
        const failure = failures.shift();
        if (failure) throw failure;
        return 'taken in';
      }, () => true);
      expect(taken).toBe('taken in');
      const message = 'reading failed, trying again';
      expect(lines).toEqual([{ message, ...place, error: sqlError(code), failures: 1, failing_for_ms: 0, wait_ms: 1_000 }]);
      expect(supervisor.ready()).toEqual({ ok: true });
    },
  );

  it('waits for the database without calling that a failure', async () => {
    const { supervisor, lines, slept } = lab();
    const failures = [new StoreUnavailable('down'), new StoreUnavailable('down')];
    await supervisor.insist(place, async () => { const failure = failures.shift(); if (failure) throw failure; }, () => true);
    expect([lines, slept]).toEqual([[], [500, 500]]);
  });

  it('gives up work that is not wanted any more, also in the middle of a wait, and drops its failure', async () => {
    const { supervisor, slept } = lab();
    const taken = await supervisor.insist(place, () => Promise.reject(sqlError('58030')), () => slept.length < 1);
    expect([taken, slept, supervisor.ready()]).toEqual([null, [500], { ok: true }]);
  });

  it('names the topic in readiness, counts in metrics, and ends liveness after the setting', async () => {
    const { supervisor, clock, metrics } = lab();
    const health = createHealth();
    health.add('reading', () => supervisor.ready());
    health.addLiveness('reading', () => supervisor.alive());
    const app = healthApp({ health, metrics });
    supervisor.failed(place, sqlError('42P01'));
    clock.time = 59_999;
    supervisor.failed(place, sqlError('42P01'));
    const [ready, live] = [await request(app).get('/readyz'), await request(app).get('/livez')];
    const reason = 'reading events.inbound, partition 3 (flow-runner) has failed for 60 s';
    expect([ready.status, ready.body.checks.reading.reason, live.status]).toEqual([503, reason, 200]);
    clock.time = 60_000;
    const dead = await request(app).get('/livez');
    expect([dead.status, dead.body.checks.reading.reason]).toEqual([503, reason]);
    const { text } = await request(app).get('/metrics');
    expect(text).toContain('sluice_reading_failures_total{topic="events.inbound",reader="flow-runner",service="test"} 2');
    expect(text).toContain('sluice_reading_failing_seconds{topic="events.inbound",reader="flow-runner",service="test"} 60');
    supervisor.healed(place);
    expect([(await request(app).get('/readyz')).status, (await request(app).get('/livez')).status]).toEqual([200, 200]);
    expect((await request(app).get('/metrics')).text).not.toContain('sluice_reading_failing_seconds{');
  });

  it('lets a service be patient in readiness', () => {
    const { supervisor, clock } = lab();
    supervisor.failed(place, sqlError('58030'));
    clock.time = 9_000;
    const reason = 'reading events.inbound, partition 3 (flow-runner) has failed for 9 s';
    expect(supervisor.ready(10_000)).toEqual({ ok: true, reason });
    clock.time = 10_000;
    expect(supervisor.ready(10_000).ok).toBe(false);
  });
});
