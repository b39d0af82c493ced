import { type CompiledFlow, type CompiledStep, compileFlow, done, eventContext, failed, type Outcome } from '@sluice/flow-engine';
import { runFlow } from './run-flow';
import { secretMask } from '@sluice/ports';

const context = eventContext({ payload: {}, event_type: 'x', connector_id: 'c' });

/** A flow of steps with given outcomes. */
function flowOf(answers: Record<string, Outcome | Error>): CompiledFlow<unknown> {
  const flow = { name: 'f', source: 'event_api', event_type: 'x', steps: [] };
  const steps = Object.entries(answers).map(([id, answer]): CompiledStep<unknown> => ({
    id, action: 'upsert', when: () => true, effect: 'write', touches: () => null, signature: { about: id, authored: id },
    run: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
  }));
  return { ...compileFlow(flow, { entities: new Map(), actions: () => undefined }), steps };
}

describe('a run', () => {
  test('keeps a trace of every step', async () => {
    let clock = Date.parse('2026-01-01T00:00:00Z');
    const late = failed({ kind: 'transient', code: 'crm_timeout', message: 'late' });
    const flow = flowOf({ a: done({ n: 1 }, { wrote: true }), b: late });
    const run = await runFlow(flow, context, {}, { now: () => (clock += 5), earlier: { wrote: false, attempts: 2 } });
    expect(run.traces).toEqual([
      {
        id: 'a', action: 'upsert', status: 'ok', output: { n: 1 }, error: null,
        started_at: '2026-01-01T00:00:00.005Z', duration_ms: 5, attempts: 3,
      },
      {
        id: 'b', action: 'upsert', status: 'failed', output: null, error: 'late',
        started_at: '2026-01-01T00:00:00.015Z', duration_ms: 5, attempts: 3,
      },
    ]);
    expect(run.outcome).toMatchObject({ status: 'retry', wrote: true });
  });

  test('starts no further step once it is cancelled', async () => {
    const signal = { aborted: false };
    const lose = done({}, { wrote: true });
    const flow = flowOf({ a: lose, b: done({}, { wrote: true }) });
    const [first] = flow.steps;
    const losing = { ...first!, run: () => { signal.aborted = true; return Promise.resolve(lose); } };
    const run = await runFlow({ ...flow, steps: [losing, flow.steps[1]!] }, context, {}, { signal });
    expect(run.outcome).toMatchObject({ status: 'retry', stepId: 'b', failure: { code: 'lease_lost' }, wrote: true });
  });

  test('keeps traces within their bound, the last step too', async () => {
    const big = Array.from({ length: 40 }, () => 'x'.repeat(500));
    const run = await runFlow(flowOf({ a: done({ big }), b: done({ big }), c: done({ n: 3 }) }), context, {}, {
      traces: { characters: 2_000, mask: (text) => text },
    });
    expect(JSON.stringify(run.traces.map(({ output }) => output)).length).toBeLessThan(2_600);
    expect(run.traces[0]!.output).toMatchObject({ big: expect.arrayContaining([expect.stringMatching(/\(\+\d+ items\)/)]) });
    expect(run.traces[2]!.output).toEqual({ n: 3 });
    expect(run.reports[0]!.output).toEqual({ big });
  });

  test('counts what the steps before have taken', async () => {
    const big = done({ big: Array.from({ length: 40 }, () => 'x'.repeat(500)) });
    const steps = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => [id, big]));
    const run = await runFlow(flowOf(steps), context, {}, { traces: { characters: 2_000, mask: (text) => text } });
    const lengths = run.traces.map(({ output }) => JSON.stringify(output).length);
    expect(lengths[0]).toBeGreaterThan(400);
    expect(lengths[7]).toBeLessThan(100);
  });

  test('keeps secrets out of outputs, errors and the outcome', async () => {
    const traces = { characters: 2_000, mask: secretMask(['tok-4711']) };
    const refusal = failed({ kind: 'permanent', code: 'target_rejected', message: 'the key tok-4711 is unknown' });
    const run = await runFlow(flowOf({ a: done({ echoed: 'Bearer tok-4711' }), b: refusal }), context, {}, { traces });
    expect(JSON.stringify([run.traces, run.outcome])).not.toContain('tok-4711');
    expect(run.traces).toMatchObject([{ output: { echoed: 'Bearer ***' } }, { error: 'the key *** is unknown' }]);
    expect(run.outcome).toMatchObject({ status: 'failed', failure: { message: 'the key *** is unknown' } });
  });

  test('ends a step that throws as a bug, unless the error is the caller\'s', async () => {
    const run = await runFlow(flowOf({ a: new Error('oops') }), context, {});
    expect(run.outcome).toMatchObject({
      status: 'failed', failure: { code: 'bug', message: 'the step failed unexpectedly: oops' },
    });
    const cause = new Error('oops');
    const interrupted = runFlow(flowOf({ a: done({ n: 1 }), b: cause }), context, {}, { isOurs: () => true });
    await expect(interrupted).rejects.toMatchObject({ name: 'FlowInterrupted', cause, reports: [{ id: 'a', output: { n: 1 } }] });
  });
});
