import { until } from '@sluice/ports/testing';
import { bulkConfig, bulkPeople, firmDomain } from '../test-support/bulk-config';
import { runnerLab, type RunnerLab, type SimRecord } from '../test-support/runner-lab';

/** Routes of the calls that write, the event whose list they write, and whether the people are there before. */
const writes: [route: string, type: string, areThere: boolean][] = [
  ['contacts/batch/upsert', 'linked', false],
  ['associations/.*/batch/', 'linked', false],
  ['contacts/batch/create', 'create', false],
  ['contacts/batch/update', 'update', true],
  ['contacts/batch/archive', 'delete', true],
];
const cases = writes.flatMap(([route, type, areThere]) => [
  { route, type, areThere, how: 'is cut before the CRM does its work', fault: { drop: true } },
  { route, type, areThere, how: 'is done, and its answer is lost', fault: { drop: true, after_write: true } },
  { route, type, areThere, how: 'is done, and answered with an error', fault: { status: 500, after_write: true } },
]);

describe('a bulk step of which a call', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const list = bulkPeople(3);
  const send = async (id: string, type: string, payload: Record<string, unknown>) => {
    await lab.send([{ id, type, payload }]);
    await until(`${type} has ended`, () => lab.rows().some(({ unit }) => unit.eventId === id));
  };
  const live = async (): Promise<SimRecord[]> => (await lab.records('contacts')).filter(({ archived }) => !archived);

  it.each(cases)('$route $how leaves each record and association once ($type)', async ({ route, type, areThere, fault }) => {
    lab = await runnerLab(bulkConfig);
    await lab.addRunner();
    await send('evt_firm', 'firm', { domain: firmDomain });
    if (areThere) await send('evt_before', 'people', { people: list });
    await lab.sim('POST', '/_sim/faults', { path: route, times: 1, ...fault });
    await send('evt_bulk', type, { people: list.map((person) => ({ ...person, name: 'new' })) });
    const statuses = new Set(
      lab
        .rows()
        .filter(({ unit }) => unit.eventId === 'evt_bulk')
        .map(({ status }) => status),
    );
    // What a lost answer had deleted is not there to be deleted again.
    expect([...statuses].filter((status) => status !== 'completed')).toEqual(
      type === 'delete' && statuses.has('skipped') ? ['skipped'] : [],
    );
    const kept = await live();
    if (type === 'delete') return expect(kept).toEqual([]);
    expect(kept.map(({ properties }) => [properties['email'], properties['firstname']]).sort()).toEqual(
      list.map(({ email }) => [email, 'new']),
    );
    if (type === 'linked') expect(kept.map(({ associations }) => associations.length)).toEqual([1, 1, 1]);
  });
});
