import { randomUUID } from 'node:crypto';
import { type BreakerStore, type FlowBreaker, type FlowOutcome, type FlowOutcomeKind, stateInForce } from '../../flow-breaker';
import { until } from '../shared/until';

export interface BreakerStoreLab {
  store: BreakerStore;
  /** Another process's store on the same data. */
  other: BreakerStore;
  /** Records of a flow end now. */
  ended(connectorId: string, flowName: string, count: number): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
const settings = { waitsMs: [5 * minute, 15 * minute], healthyResetMs: 60 * minute };

/**
 * What every breaker store must do; the rules themselves are tested in `breaker-rules.test.ts`. Call it at the top level of a
 * test file.
 * @param makeLab called once
 */
export function breakerStoreConformance(name: string, makeLab: () => Promise<BreakerStoreLab>): void {
  describe(`${name} is a breaker store`, () => {
    let lab: BreakerStoreLab;
    let connectorId: string;
    beforeAll(async () => {
      lab = await makeLab();
    });
    beforeEach(() => {
      connectorId = randomUUID();
    });
    afterAll(() => lab.close());

    const outcome = (kind: FlowOutcomeKind, flowName = 'orders', unit = 'u'): FlowOutcome =>
      ({ connectorId, flowName, kind, detail: 'refused', unit });
    const note = (kinds: FlowOutcomeKind[], store = lab.store, unit = 'u') =>
      store.note(kinds.map((kind) => outcome(kind, 'orders', unit)), settings);
    const breaker = async (flowName = 'orders'): Promise<FlowBreaker | undefined> =>
      (await lab.other.ofConnectors([connectorId])).find((one) => one.flowName === flowName);
    const open = () => note(['fatal', 'fatal', 'fatal']);

    it('counts outcomes over processes, and tells of what is not closed', async () => {
      expect(await note(['fatal'])).toEqual([]);
      expect(await note(['fatal'], lab.other)).toEqual([]);
      const [opened] = await note(['fatal']);
      expect(opened).toMatchObject({
        connectorId, flowName: 'orders', state: 'open', forced: null, reason: 'fatal_streak', detail: 'refused', opens: 1,
        cooldownMs: 5 * minute, attempt: null, closedAt: null, fatalStreak: 3, exhaustedStreak: 0,
      });
      expect(opened!.retryAfterAt! - opened!.openedAt!).toBe(5 * minute);
      expect(await breaker()).toEqual(opened);
    });

    it('loses no outcome of concurrent notes', async () => {
      await Promise.all(Array.from({ length: 5 }, (_, n) => note(['exhausted'], n % 2 === 0 ? lab.store : lab.other)));
      expect(await breaker()).toMatchObject({ state: 'open', reason: 'transient_exhausted_streak' });
    });

    it('notes outcomes of several flows in one call, in their order', async () => {
      const fatal = ['fatal', 'fatal', 'wrote', 'fatal'] as const;
      await lab.store.note([...fatal.map((kind) => outcome(kind)), ...['a', 'b', 'c'].map(() => outcome('fatal', 'customers'))],
        settings);
      expect([(await breaker())!.fatalStreak, (await breaker('customers'))!.state]).toEqual([1, 'open']);
    });

    it('gives the recovery attempt to one unit', async () => {
      await open();
      expect(await lab.store.claimAttempt(connectorId, 'orders', 'u1', minute)).toBe(false);
      await lab.other.retry(connectorId, 'orders');
      const claims = await Promise.all(['u1', 'u2', 'u3'].map((unit, n) =>
        (n % 2 === 0 ? lab.store : lab.other).claimAttempt(connectorId, 'orders', unit, minute)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await breaker()).toMatchObject({ state: 'half_open', attempt: { unit: `u${claims.indexOf(true) + 1}` } });
    });

    it('closes when the attempt succeeds, and opens for longer when it fails', async () => {
      await open();
      for (const [kind, state] of [['fatal', 'open'], ['wrote', 'closed']] as const) {
        await lab.store.retry(connectorId, 'orders');
        await lab.store.claimAttempt(connectorId, 'orders', 'recovery', minute);
        await note([kind], lab.other, 'recovery');
        expect((await breaker())!.state).toBe(state);
      }
      expect(await breaker()).toMatchObject({ opens: 2, closedAt: expect.any(Number), retryAfterAt: null });
    });

    it('an attempt that was lost is given to another unit', async () => {
      await open();
      await lab.store.retry(connectorId, 'orders');
      expect(await lab.store.claimAttempt(connectorId, 'orders', 'lost', 30)).toBe(true);
      await until('the attempt is over', () => lab.other.claimAttempt(connectorId, 'orders', 'next', minute));
    });

    it('closes every breaker of a connector', async () => {
      await open();
      await lab.store.closeAll(connectorId);
      expect(await breaker()).toMatchObject({ state: 'closed', opens: 1, fatalStreak: 0 });
    });

    it('what an operator forces is in force until he lets go', async () => {
      expect(await lab.store.force(connectorId, 'orders', 'open')).toMatchObject({ state: 'closed', forced: 'open' });
      expect(stateInForce((await breaker())!)).toBe('open');
      await lab.store.force(connectorId, 'orders', 'closed');
      await open();
      expect(stateInForce((await breaker())!)).toBe('closed');
      await lab.store.force(connectorId, 'orders', null);
      expect(stateInForce((await breaker())!)).toBe('open');
    });

    it('what an operator opened ends when the connector is set active, and becomes automatic with a retry', async () => {
      await lab.store.force(connectorId, 'orders', 'open');
      await lab.other.closeAll(connectorId);
      expect(await breaker()).toMatchObject({ forced: null, state: 'closed' });
      await lab.store.force(connectorId, 'orders', 'open');
      await lab.other.retry(connectorId, 'orders');
      expect(await breaker()).toMatchObject({ forced: null, state: 'open', reason: 'manual' });
      expect(await lab.store.claimAttempt(connectorId, 'orders', 'u', minute)).toBe(true);
      await lab.store.force(connectorId, 'orders', 'closed');
      await lab.other.closeAll(connectorId);
      await lab.other.retry(connectorId, 'orders');
      expect(await breaker()).toMatchObject({ forced: 'closed' });
    });

    it('tells of changes since a time, also of what closed; without a time of what is not closed', async () => {
      const { storeMs } = await lab.store.changed(null);
      await open();
      const seen = async (since: number | null) =>
        (await lab.other.changed(since)).breakers.filter((one) => one.connectorId === connectorId).map(({ state }) => state);
      expect([await seen(null), await seen(storeMs - 5_000)]).toEqual([['open'], ['open']]);
      await lab.store.closeAll(connectorId);
      expect([await seen(null), await seen(storeMs - 5_000)]).toEqual([[], ['closed']]);
      await lab.store.force(connectorId, 'orders', 'open');
      expect(await seen(null)).toEqual(['closed']);
      const later = (await lab.store.changed(null)).storeMs + 60_000;
      expect(await seen(later)).toEqual([]);
    });

    it('opens by the rate of fatal failures among the executions of two hours', async () => {
      const failures = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n += 1) await note(['fatal', 'wrote']);
      };
      await lab.ended(connectorId, 'orders', 9);
      await failures(10);
      expect(await lab.store.checkRates(settings)).toEqual([]);
      await failures(1);
      const opened = (await lab.store.checkRates(settings)).filter((one) => one.connectorId === connectorId);
      expect(opened).toMatchObject([{ state: 'open', reason: 'failure_rate', detail: '11 of 20 executions failed.', opens: 1 }]);
      expect((await lab.other.checkRates(settings)).filter((one) => one.connectorId === connectorId)).toEqual([]);
    });

    it('a rate of half the executions does not open', async () => {
      await lab.ended(connectorId, 'orders', 10);
      for (let n = 0; n < 10; n += 1) await note(['fatal', 'wrote']);
      await lab.store.checkRates(settings);
      expect(await breaker()).toMatchObject({ state: 'closed' });
    });

    it('counts breakers by the state in force', async () => {
      const before = (await lab.store.counts()).open ?? 0;
      await open();
      await lab.store.note([outcome('fatal', 'customers')], settings);
      expect((await lab.other.counts()).open).toBe(before + 1);
    });
  });
}
