import type { EventEnvelope } from '@sluice/contracts';
import type { Work } from '@sluice/key-lanes';
import type { MonotonicClock } from '@sluice/ports';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { WaitingRows } from './waiting-rows';

const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

function setup() {
  const state = { now: 0, isCurrent: true, begun: [] as string[], released: [] as string[] };
  const idOf = (work: Work<Unit>): string => work.item.value.key.eventId;
  const rows = new WaitingRows({
    lanes: { release: (work) => state.released.push(idOf(work)) > 0 },
    holder: { isCurrent: () => state.isCurrent },
    monotonicNow: (() => state.now) as MonotonicClock,
    leastImportRate: 100,
    begin: (work) => void state.begun.push(idOf(work)),
  });
  return { state, rows };
}

function work(id: string, more: Partial<EventEnvelope> = {}): Work<Unit> {
  const value = testUnit({ event_id: id, ...more });
  return { item: { partition: 3, offset: 7n, lane: 'c', group: 'c', value, bytes: 1 }, epoch: 2n };
}
const row = (id: number | string): Work<Unit> => work(`row_${id}`, { kind: 'import' });
const many = (count: number): Work<Unit>[] => Array.from({ length: count }, (_, id) => row(id));

test('a row waits while live events come in, and an event does not', () => {
  const { state, rows } = setup();
  rows.seen([{ value: testUnit() }], 1);
  rows.begin([row(1), work('live')]);
  expect(state.begun).toEqual(['live']);
  state.now += 100;
  rows.look();
  expect(state.begun).toEqual(['live', 'row_1']);
});

test('without live events all rows begin at once', () => {
  const { state, rows } = setup();
  rows.begin(many(600));
  expect(state.begun).toHaveLength(600);
});

test('beside live events a few rows begin in each turn of the event loop', async () => {
  const { state, rows } = setup();
  rows.seen([{ value: testUnit() }], 1);
  rows.begin(many(60));
  expect(state.begun).toHaveLength(0);
  state.now += 600;
  rows.look();
  expect(state.begun).toHaveLength(25);
  await turn();
  expect(state.begun).toHaveLength(50);
  await turn();
  expect(state.begun).toHaveLength(60);
});

test('a row that a live event waits for begins when it is looked at', () => {
  const { state, rows } = setup();
  const [awaited, other] = [row('awaited'), row('other')];
  rows.seen([{ value: testUnit() }], 1);
  rows.begin([awaited, other, ...many(98)]);
  expect(state.begun).toEqual([]);
  awaited.item.value.isAwaited = () => true;
  rows.look();
  expect(state.begun).toEqual(['row_awaited']);
});

test('rows of a partition that was lost go back to their lanes', () => {
  const { state, rows } = setup();
  rows.seen([{ value: testUnit() }], 1);
  rows.begin([row(1)]);
  state.isCurrent = false;
  rows.look();
  expect([state.begun, state.released]).toEqual([[], ['row_1']]);
});

test('all go back when the process stops, also those whose turn comes next', async () => {
  const { state, rows } = setup();
  rows.seen([{ value: testUnit() }], 1);
  rows.begin(many(30));
  state.now += 300;
  rows.look();
  rows.giveUp();
  await turn();
  expect([state.begun.length, state.released.length]).toEqual([25, 5]);
});
