import { until } from '@sluice/ports/testing';
import { bulkConfig, bulkPeople, firmDomain } from '../test-support/bulk-config';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

describe('bulk actions', () => {
  let lab: RunnerLab;
  let sent = 0;
  beforeEach(async () => {
    lab = await runnerLab(bulkConfig);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const domain = firmDomain;
  const people = bulkPeople;
  const ended = (id: string) => lab.rows().filter(({ unit }) => unit.eventId === id);
  const send = async (type: string, payload: Record<string, unknown>) => {
    const id = `evt_${(sent += 1)}`;
    await lab.send([{ id, type, payload }]);
    await until(`${type} has ended`, () => ended(id).length > 0);
    return ended(id);
  };
  const sizes = async (path: string): Promise<number[]> => {
    const { items } = await lab.sim('GET', `/_sim/calls?path=${encodeURIComponent(path)}`);
    return items.map(({ inputs }: { inputs: number }) => inputs);
  };
  const statuses = (rows: readonly { status: string }[]): Record<string, number> =>
    rows.reduce<Record<string, number>>((counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }), {});

  it('write in full batches, with a row per element', async () => {
    const rows = await send('people', { people: people(250) });
    expect(statuses(rows)).toEqual({ completed: 250 });
    expect(rows[7]).toMatchObject({ entityName: 'person', externalId: `p7@${domain}`, action: 'upsert_many', item: 'save/7' });
    expect((await sizes('contacts/batch/upsert')).sort()).toEqual([100, 100, 50]);
    expect(await lab.records('contacts')).toHaveLength(250);
  });

  it('keep their calls to the chunk_size', async () => {
    await send('small', { people: people(100) });
    expect((await sizes('contacts/batch/upsert')).sort()).toEqual([20, 40, 40]);
  });

  it('neither undo nor repeat the neighbours of an element that the CRM refuses', async () => {
    const fault = { path: 'contacts/batch/', body_contains: 'bad', status: 400, body: { message: 'bad value' } };
    await lab.sim('POST', '/_sim/faults', fault);
    const rows = await send('people', { people: [...people(3), { email: `bad@${domain}` }, ...people(3, 'q')] });
    expect(statuses(rows)).toEqual({ completed: 6, failed: 1 });
    expect(rows.find(({ status }) => status === 'failed')).toMatchObject({
      externalId: `bad@${domain}`,
      replayable: true,
      attempts: 1,
    });
    expect((await lab.records('contacts')).map(({ writes }) => writes)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('try only what is open again, and park it when the attempts are used up', async () => {
    await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/upsert', body_contains: 'poison', status: 500 });
    const rows = await send('people', { people: [...people(5), { email: `poison@${domain}` }] });
    expect(statuses(rows)).toEqual({ completed: 5, parked: 1 });
    expect(rows.find(({ status }) => status === 'parked')).toMatchObject({
      externalId: `poison@${domain}`,
      attempts: 5,
      errorKind: 'transient',
      errorCode: 'crm_unavailable',
    });
    // The whole batch was refused at first; taken apart in the second attempt, its good part landed once.
    expect((await lab.records('contacts')).map(({ writes }) => writes)).toEqual([1, 1, 1, 1, 1]);
  });

  it('fail as a whole when the CRM refuses every element', async () => {
    await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/', status: 400, body: { message: 'no' } });
    expect(statuses(await send('people', { people: people(3) }))).toEqual({ failed: 3 });
  });

  it('update what is there and skip what is not', async () => {
    await send('people', { people: people(2) });
    expect(statuses(await send('update', { people: people(4) }))).toEqual({ completed: 2, skipped: 2 });
    expect(await lab.records('contacts')).toHaveLength(2);
  });

  it('create and delete in full batches, each record once', async () => {
    const list = people(150);
    expect(statuses(await send('create', { people: [...list, list[0]] }))).toEqual({ completed: 150, skipped: 1 });
    expect((await sizes('contacts/batch/create')).sort()).toEqual([100, 50]);
    expect(statuses(await send('create', { people: list }))).toEqual({ skipped: 150 });
    expect((await lab.records('contacts')).map(({ writes }) => writes)).toEqual(list.map(() => 1));
    const gone = await send('delete', { people: [...list, { email: `nobody@${domain}` }, { name: 'no address' }] });
    expect(statuses(gone)).toEqual({ completed: 150, skipped: 1, failed: 1 });
    expect((await sizes('contacts/batch/archive')).sort()).toEqual([100, 50]);
    expect((await lab.records('contacts')).every(({ archived }) => archived)).toBe(true);
    expect(statuses(await send('delete', { people: list }))).toEqual({ skipped: 150 });
  });

  it('associate in full batches; a pair whose record is still to come waits alone', async () => {
    await send('firm', { domain });
    const list = people(120).map((person, index) => (index === 0 ? { ...person, domain: 'late.test' } : person));
    const id = `evt_${(sent += 1)}`;
    await lab.send([{ id, type: 'linked', payload: { people: list } }]);
    await until('it waits for the late firm', () => lab.store.held().some(({ reason }) => reason === 'counterpart'));
    const paired = await sizes('associations/.*/batch/');
    expect([Math.max(...paired), paired.reduce((sum, one) => sum + one, 0)]).toEqual([100, 119]);
    await send('firm', { domain: 'late.test' });
    await until('the pair is associated', () => ended(id).length > 0);
    expect(statuses(ended(id))).toEqual({ completed: 240 });
    expect((await lab.records('contacts')).every(({ associations, writes }) => associations.length === 1 && writes === 1)).toBe(
      true,
    );
    const again = await sizes('associations/.*/batch/');
    expect(again.reduce((sum, one) => sum + one, 0)).toBe(120);
  });

  it('cost at most 0.06 calls a record, like events that find, upsert and associate one distinct record each', async () => {
    await send('firm', { domain });
    const before = (await sizes('/crm/')).length;
    const events = people(600).map((payload, index) => ({ id: `evt_s${index}`, type: 'single', payload }));
    await lab.send(events);
    await until(
      'all have ended',
      () => lab.rows().filter(({ unit }) => unit.eventId.startsWith('evt_s')).length === events.length,
      30_000,
    );
    expect(statuses(lab.rows())).toEqual({ completed: 601 });
    expect((await sizes('/crm/')).length - before).toBeLessThanOrEqual(0.06 * events.length);
  }, 60_000);
});
