import { checkConfig } from '@sluice/config-model';
import { editRounds, firstEdits } from './both-sides';
import { twoWayConfig } from './two-way-config';
import { areEqual, untilEqual } from './until-equal';

const customer = (phone: string) => ({ email: 'a@x.example', name: 'A', phone });
const sides = (shop: string, crm: string, writes = 0) =>
  ({ shop: [customer(shop)], puts: 0, crm: { customers: new Map([['a@x.example', customer(crm)]]), writes } });

it('has a config without a problem', () => {
  expect(checkConfig(twoWayConfig('http://127.0.0.1:1'), { moment: 'publish', privateTargets: 'allowed' })).toEqual([]);
});

it('has the same edits at every start, on both sides, of customers that are there', () => {
  const edits = editRounds().flat();
  expect(editRounds().flat()).toEqual(edits);
  expect(new Set(edits.map(({ side }) => side))).toEqual(new Set(['shop', 'crm']));
  const known = new Set(firstEdits.map(({ change: { email } }) => email));
  expect(edits.filter(({ change: { email } }) => !known.has(email))).toEqual([]);
});

it('sides are equal when they have the same customers with the same values', () => {
  expect([areEqual(sides('1', '1')), areEqual(sides('1', '2'))]).toEqual([true, false]);
  expect(areEqual({ ...sides('1', '1'), shop: [] })).toBe(false);
});

it('waits until both are equal and three readings in a row brought nothing, while nothing is under way', async () => {
  let [polls, writes] = [0, 0];
  const waiting = [1, 0];
  const end = await untilEqual({
    pollJournal: async () => void (polls += 1),
    // The third poll still brings something.
    read: async () => sides('1', polls < 3 ? '2' : '1', polls < 3 ? (writes += 1) : writes),
    inFlight: async () => waiting.shift() ?? 0,
    timeoutMs: 60_000,
  });
  expect(end).toMatchObject({ isEqual: true, isQuiet: true });
  expect(polls).toBe(6);
});

it('does not wait longer than it may, and says what it sees', async () => {
  const end = await untilEqual({
    pollJournal: async () => undefined, read: async () => sides('1', '2'), inFlight: async () => 0, timeoutMs: 0,
  });
  expect(end).toMatchObject({ isEqual: false, isQuiet: false });
});
