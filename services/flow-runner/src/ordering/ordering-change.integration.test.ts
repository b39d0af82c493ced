import { type ConfigDocument, type ConnectorChange, lanePartition } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { labConnector, labPartitions, runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const upserts = '/crm/v3/objects/contacts/batch/upsert';
const config: ConfigDocument = {
  ...shopConfig,
  flows: ['customer_synced', 'customer.saved'].map((type) => ({
    name: type, source: 'event_api', event_type: type,
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
  })),
};

type Ordering = ConnectorChange['ordering'];
const payloadOf = (version: number, email: string): LabEvent['payload'] => ({ customer: { email, name: `v${version}` } });

describe('a change of the ordering', () => {
  let lab: RunnerLab;
  let epoch = 0;
  beforeEach(async () => {
    epoch = 0;
    lab = await runnerLab(config, { policy: { attempts: 5, waitsMs: [1_000], ceilingMs: 2_000, ttlMs: 1_209_600_000 } });
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  const order = (ordering: Ordering): Promise<void> => lab.change({ ordering, ordering_epoch: (epoch += 1) });
  /** An event in the lane that its ordering gives it. */
  const send = (ordering: Ordering, version: number, email = 'a@shop.test', orderingEpoch = epoch): Promise<void> => {
    const event: LabEvent = { id: `evt_${version}`, type: 'customer.saved', payload: payloadOf(version, email), orderingEpoch };
    return lab.send([ordering === 'record' ? { ...event, record: ['customer', email] } : event]);
  };
  const written = async (): Promise<(string | null | undefined)[]> => {
    const logs = (await lab.records('contacts')).flatMap((record) => record.write_log);
    return logs.sort((a, b) => a.at.localeCompare(b.at)).map(({ properties }) => properties['firstname']);
  };
  const refuse = (status: number, times = 1): Promise<unknown> =>
    lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: '"v1"', status, times });
  const isHeld = (id: string): boolean => lab.store.held().some(({ unit }) => unit.eventId === id);
  const settled = (count: number): Promise<void> => until(`${count} events have ended`, () => lab.rows().length >= count);

  const directions: [Ordering, Ordering][] = [['connector', 'record'], ['record', 'connector']];
  it.each(directions)('from %s to %s waits for what failed before it', async (before, after) => {
    await refuse(500);
    await send(before, 1);
    await until('the first waits', () => isHeld('evt_1'));
    await order(after);
    await send(after, 2);
    await settled(2);
    expect(await written()).toEqual(['v1', 'v2']);
    expect(lab.rows().map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('and back again keeps all of them in order', async () => {
    await refuse(500, 2);
    await send('record', 1);
    await until('the first waits', () => isHeld('evt_1'));
    await order('connector');
    await send('connector', 2);
    await order('record');
    await send('record', 3);
    await send('record', 4);
    await settled(4);
    expect(await written()).toEqual(['v1', 'v2', 'v3', 'v4']);
  });

  it('waits for events in hand', async () => {
    await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: '"v1"', delay_ms: 1_000, times: 1 });
    await send('connector', 1);
    await order('record');
    await send('record', 2);
    await settled(2);
    expect(await written()).toEqual(['v1', 'v2']);
  });

  it('is kept by the next owner of the partition', async () => {
    await refuse(500);
    await send('connector', 1);
    await until('the first waits', () => isHeld('evt_1'));
    await order('record');
    await send('record', 2);
    await until('the second waits', () => isHeld('evt_2'));
    await lab.addRunner();
    await lab.runners.shift()!.stop();
    await settled(2);
    expect(await written()).toEqual(['v1', 'v2']);
  });

  it('keeps the order of the log when an ingest-api does not know of it yet', async () => {
    await refuse(500);
    await order('record');
    await send('record', 1);
    await until('the first waits', () => isHeld('evt_1'));
    await send('connector', 2, 'a@shop.test', 0);
    await send('record', 3);
    await settled(3);
    expect(await written()).toEqual(['v1', 'v2', 'v3']);
  });

  describe('that raises the width', () => {
    const width = 4;
    /** Addresses whose records lie in other partitions than before. */
    const home = lanePartition(labConnector, '', 1, labPartitions);
    const moved = Array.from({ length: 20 }, (_, index) => `w${index}@shop.test`).filter((email) =>
      lanePartition(labConnector, `customer:${email}`, width, labPartitions) !== home);
    const sendWide = (version: number, email: string): Promise<void> => lab.send([{
      id: `evt_${version}`, type: 'customer.saved', payload: payloadOf(version, email), orderingEpoch: epoch,
      record: ['customer', email], width,
    }]);
    const raise = (): Promise<void> => lab.change({ width, ordering_epoch: (epoch += 1) });
    const email = moved[0]!;

    it('waits for what failed before it in another partition', async () => {
      await refuse(500);
      await send('record', 1, email);
      await until('the first waits', () => isHeld('evt_1'));
      await raise();
      await sendWide(2, email);
      await settled(2);
      expect(await written()).toEqual(['v1', 'v2']);
    });

    it('waits for events in hand in another partition, of another runner too', async () => {
      await lab.addRunner();
      await lab.sim('POST', '/_sim/faults', { path: upserts, body_contains: '"v1"', delay_ms: 4_000, times: 1 });
      await send('record', 1, email);
      await raise();
      await sendWide(2, email);
      await settled(2);
      expect(await written()).toEqual(['v1', 'v2']);
    });

    it('ends for all records, and events of both widths never wait for each other', async () => {
      await refuse(500);
      await send('record', 1, moved[1]);
      await raise();
      for (const [index, one] of moved.entries()) await sendWide(index + 2, one);
      // An acceptor that did not know of it yet.
      await send('record', 90, moved[2], 0);
      await sendWide(91, moved[2]!);
      await settled(moved.length + 3);
      expect(lab.store.held()).toEqual([]);
      expect(lab.rows().every(({ status }) => status === 'completed')).toBe(true);
    });
  });

  it('releases all events that it kept waiting', async () => {
    await refuse(500);
    await send('connector', 1);
    await until('the first waits', () => isHeld('evt_1'));
    await order('record');
    for (let version = 2; version <= 20; version += 1) await send('record', version, `c${version}@shop.test`);
    await settled(20);
    expect(lab.store.held()).toEqual([]);
    expect(lab.rows().every(({ status }) => status === 'completed')).toBe(true);
  });
});
