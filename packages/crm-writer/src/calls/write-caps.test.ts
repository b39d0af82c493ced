import { type CallResult, StoreUnavailable, type WriteCapAnswer } from '@sluice/ports';
import { testContext } from '../test-support/test-context';
import type { UnitContext } from '../shared/unit-context';
import { noWriteCaps, WriteCaps } from './write-caps';

const ok: CallResult<string> = { ok: true, value: 'written' };
const failed = (code: 'crm_timeout' | 'crm_rejected'): CallResult<string> =>
  ({ ok: false, kind: code === 'crm_timeout' ? 'transient' : 'permanent', code, message: 'no' });

/** Caps whose store answers as told, by connector; default: granted. */
function lab(answers: Record<string, WriteCapAnswer> = {}, settle?: () => Promise<void>) {
  const [asked, settled]: [[string, number][], [string, number][]] = [[], []];
  const caps = new WriteCaps({
    store: {
      reserve: async (id, writes) => {
        asked.push([id, writes]);
        return answers[id] ?? { granted: true, reservation: `of ${id}` };
      },
      settle: async ({ connectorId, written }) => {
        settled.push([connectorId, written]);
        await settle?.();
      },
    },
    batchMs: 1_000,
  });
  return { caps, asked, settled };
}

const of = (connectorId: string, more: Partial<UnitContext> = { capped: true }) =>
  ({ unit: testContext(1n, { connectorId, ...more }) });
const all = (result: CallResult<string>) => async (asks: readonly unknown[]): Promise<CallResult<string>[]> =>
  asks.map(() => result);

describe('a batch of writes', () => {
  it('asks nobody when no connector in it has a cap', async () => {
    const { caps, asked } = lab();
    expect(await caps.within([of('a', {})], true, all(ok))).toEqual([ok]);
    expect(await noWriteCaps.within([of('a')], true, all(ok))).toEqual([ok]);
    expect(asked).toEqual([]);
  });

  it('reserves the writes of each connector, and counts what was written', async () => {
    const { caps, asked, settled } = lab();
    const asks = [of('a'), of('b'), of('a'), of('c', {})];
    const results = [ok, ok, failed('crm_rejected'), ok];
    expect(await caps.within(asks, true, async () => results)).toEqual(results);
    expect([asked, settled]).toEqual([[['a', 2], ['b', 1]], [['a', 1], ['b', 1]]]);
  });

  it('sends nothing of a connector that may not write any more, and everything else', async () => {
    const { caps, settled } = lab({ a: { granted: false } });
    const sent: string[] = [];
    const answers = await caps.within([of('a'), of('b'), of('a')], true, async (asks) => asks.map(({ unit }) => {
      sent.push(unit.connectorId);
      return ok;
    }));
    expect(answers).toMatchObject([
      { kind: 'transient', code: 'write_cap_reached', retryAfterMs: 1_000 }, ok, { code: 'write_cap_reached' },
    ]);
    expect([sent, settled]).toEqual([['b'], [['b', 1]]]);
    expect(await lab({ a: { granted: false } }).caps.within([of('a')], true, () => Promise.reject(new Error('sent'))))
      .toMatchObject([{ code: 'write_cap_reached' }]);
  });

  it('counts nothing once the cap is released', async () => {
    const { caps, settled } = lab({ a: { granted: true, reservation: null } });
    expect(await caps.within([of('a')], true, all(ok))).toEqual([ok]);
    expect(settled).toEqual([]);
  });

  it('counts a write without an answer only where it is not sent again', async () => {
    for (const [repeatable, written] of [[true, 0], [false, 1]] as const) {
      const { caps, settled } = lab();
      await caps.within([of('a')], repeatable, all(failed('crm_timeout')));
      expect(settled).toEqual([['a', written]]);
    }
  });

  it('has its results also when they cannot be counted: the reservation counts then', async () => {
    const { caps } = lab({}, () => Promise.reject(new StoreUnavailable('away')));
    expect(await caps.within([of('a')], true, all(ok))).toEqual([ok]);
    const broken = lab({}, () => Promise.reject(new Error('a bug')));
    await expect(broken.caps.within([of('a')], true, all(ok))).rejects.toThrow('a bug');
  });
});
