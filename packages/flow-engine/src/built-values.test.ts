import { compileMapping } from './mapping/mapping';
import { aContext } from './testing/a-context';
import { WorkBudget } from './work-budget';

/** A payload that counts how often `a` is read. */
function counting(a: unknown) {
  const counts = { reads: 0 };
  return { counts, payload: { get a() { counts.reads += 1; return a; } } };
}

const label = { source: '$.payload.a', target: 'a', transform: ['uppercase'] };

describe('a value that is kept', () => {
  it('is computed once, also for copies of its context, and costs each use the same', () => {
    const { counts, payload } = counting('x'.repeat(800));
    const mapping = compileMapping(label, true);
    const ctx = aContext(payload);
    const first = mapping.value(ctx);
    const once = ctx.budget.spent;
    expect(mapping.value({ ...ctx, outputs: { up: 1 } })).toEqual(first);
    expect([counts.reads, ctx.budget.spent]).toEqual([1, 2 * once]);
  });

  it('is computed again for another payload, and for an item of a list', () => {
    const { counts, payload } = counting('x');
    const mapping = compileMapping(label, true);
    const ctx = aContext(payload);
    mapping.value(ctx);
    expect(mapping.value({ ...ctx, payload: { a: 'y' } })).toEqual({ ok: true, value: 'Y' });
    expect(mapping.value({ ...ctx, item: 1 })).toEqual({ ok: true, value: 'X' });
    expect(counts.reads).toBe(2);
  });

  it('is kept for the last payload that it was computed for', () => {
    const [first, last] = [counting('x'), counting('y')];
    const mapping = compileMapping(label, true);
    const ctx = aContext(first.payload);
    mapping.value(ctx);
    const ofLast = { ...ctx, payload: last.payload };
    expect([mapping.value(ofLast), mapping.value(ofLast)]).toEqual([{ ok: true, value: 'Y' }, { ok: true, value: 'Y' }]);
    expect(last.counts.reads).toBe(1);
  });

  it('is not kept when it depends on more than the event', () => {
    const mapping = compileMapping({ source: '$step.a', target: 'a' }, true);
    const ctx = aContext({});
    const valueAfter = (a: string) => mapping.value({ ...ctx, outputs: { step: { a } } });
    expect([valueAfter('one'), valueAfter('two')]).toEqual([{ ok: true, value: 'one' }, { ok: true, value: 'two' }]);
  });

  it('exceeds the limit of its event as if it were computed, and the error names the mapping', () => {
    const mapping = compileMapping(label, true);
    const ctx = aContext({ a: 'x'.repeat(160_000) });
    expect(mapping.value(ctx).ok).toBe(true);
    const budget = new WorkBudget();
    budget.work(budget.limits.steps);
    expect(mapping.value({ ...ctx, budget })).toMatchObject({
      ok: false, code: 'expression_limit', message: expect.stringContaining("mapping 'a' asks for") as unknown,
    });
  });
});
