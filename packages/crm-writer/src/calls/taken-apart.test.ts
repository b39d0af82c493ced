import type { CallFailure, CallResult } from '@sluice/ports';
import { takenApart } from './taken-apart';
import { testContext } from '../test-support/test-context';

const refused = (message: string): CallFailure => ({ ok: false, kind: 'permanent', code: 'crm_rejected', message });
const unavailable: CallFailure = { ok: false, kind: 'transient', code: 'crm_unavailable', message: 'down' };

/** Requests the values 0 to 99 together. @param failureOf what a call fails with, by its values; null: it is answered */
async function ask(failureOf: (values: number[]) => CallFailure | null, { retried = false } = {}) {
  const calls: number[][] = [];
  const asks = Array.from({ length: 100 }, (_, value) => ({ unit: testContext(1n, { retried }), value }));
  const answers = await takenApart(asks, async (part): Promise<CallResult<number>[]> => {
    const values = part.map(({ value }) => value);
    calls.push(values);
    const failure = failureOf(values);
    return part.map(({ value }) => failure ?? { ok: true, value });
  });
  const failed = answers.flatMap((answer, value) => (answer.ok ? [] : [value]));
  const misplaced = answers.filter((answer, value) => answer.ok && answer.value !== value);
  expect([answers.length, misplaced]).toEqual([100, []]);
  return { failed, calls: calls.length };
}

const poison = (...bad: number[]) => (values: number[]) => {
  const [first] = values.filter((value) => bad.includes(value));
  return first === undefined ? null : refused(`'${first}' is no id`);
};

describe('a batch of reads', () => {
  it('is one call while nothing fails', async () => {
    expect(await ask(() => null)).toEqual({ failed: [], calls: 1 });
  });

  it.each([[[0]], [[99]], [[17]], [[17, 18, 63]]])('fails only for the values that the CRM refuses: %j', async (bad) => {
    const { failed, calls } = await ask(poison(...bad));
    expect(failed).toEqual(bad);
    expect(calls).toBeLessThanOrEqual(1 + bad.length * 14);
  });

  it('is not split to the end when every value is refused with the same message', async () => {
    const { failed, calls } = await ask(() => refused('there is no such property'));
    expect(failed).toHaveLength(100);
    expect(calls).toBeLessThan(30);
  });

  it('that failed transiently is split for events that failed before, while a half succeeds', async () => {
    const down = (values: number[]) => (values.includes(17) ? unavailable : null);
    expect(await ask(down)).toMatchObject({ calls: 1 });
    expect(await ask(down, { retried: true })).toMatchObject({ failed: [17] });
    expect(await ask(() => unavailable, { retried: true })).toMatchObject({ calls: 3 });
  });

  it('that is rate-limited is not split', async () => {
    const dry: CallFailure = { ok: false, kind: 'transient', code: 'portal_dry', message: 'later' };
    expect(await ask(() => dry, { retried: true })).toMatchObject({ calls: 1 });
  });
});
