import { KeyValueUnavailable, type KeyValue, type PropertyValue } from '@sluice/ports';
import { createActivity } from '../batching/activity';
import { createEchoPolicy, createFirstEchoPolicy, keepSending, keepSent, keepWritten } from '../policies/echo-policy';
import { createFingerprints, isEcho, type FingerprintKey } from './fingerprints';
import { noCauses } from './write-causes';
import { testContext } from '../test-support/test-context';
import { proceed } from '../policies/write-policy';

const ttlMs = 1_000;
const key: FingerprintKey = { kind: 'sent', connectorId: 'c', objectType: 'contacts', crmId: '7' };

/** Fingerprints over a key-value store that can be away, used by one unit while no other unit is active. */
function aLab() {
  const kept = new Map<string, string>();
  const commands: string[] = [];
  let away = false;
  const kv: Pick<KeyValue, 'set' | 'getMany'> = {
    set: async (name, value, options) => {
      if (away) throw new KeyValueUnavailable('away');
      commands.push(`set for ${options.ttlMs}`);
      kept.set(name, value);
    },
    getMany: async (names) => {
      if (away) throw new KeyValueUnavailable('away');
      commands.push(`get ${names.length}`);
      return names.map((name) => kept.get(name) ?? null);
    },
  };
  const activity = createActivity();
  const fingerprints = createFingerprints(kv, { ttlMs, activity });
  const active = <T,>(work: () => Promise<T>): Promise<T> => {
    activity.enter();
    return work().finally(() => activity.leave());
  };
  const judge = (
    properties: Record<string, PropertyValue>,
    { eventId = 'in', check = true, forced = false, crmId = '7' } = {},
  ) => {
    const unit = testContext(1n, { forced, echoes: { check, suppress: false, eventId } });
    const write = {
      entity: 'person',
      externalId: 'A',
      objectType: 'contacts',
      properties,
      identityProperty: 'email',
      identityValue: 'a@x.co',
    };
    const subject = { unit, write, record: { objectType: 'contacts', crmId } };
    const policy = createEchoPolicy(fingerprints);
    return active(async () => (policy.concerns(subject) ? policy.judge(subject, null) : proceed));
  };
  const setAway = (value: boolean): void => {
    away = value;
  };
  return { kept, commands, fingerprints, active, judge, setAway };
}

const echo = { kind: 'skip', reason: 'echo' };
const write = { kind: 'proceed' };

describe('freshness_check of a write', () => {
  it('skips values that the connector itself sent of the record, in any notation', async () => {
    const lab = aLab();
    await lab.active(() => lab.fingerprints.keep(key, 'out', { email: 'a@x.co', amount: '10.0', city: null }));
    expect(await lab.judge({ email: ' A@x.co', amount: 10 })).toEqual(echo);
    expect(await lab.judge({ city: '' })).toEqual(echo);
    expect(await lab.judge({ amount: 11 })).toEqual(write);
    expect(await lab.judge({ amount: 10, phone: '1' })).toEqual(write);
    expect(await lab.judge({ amount: 10 }, { crmId: '8' })).toEqual(write);
  });

  it('compares only with the latest: of A, B, A the last is no echo of the first', async () => {
    const lab = aLab();
    await lab.active(() => lab.fingerprints.keep(key, 'one', { city: 'A' }));
    await lab.active(() => lab.fingerprints.keep(key, 'two', { city: 'B' }));
    expect(await lab.judge({ city: 'A' })).toEqual(write);
    expect(await lab.judge({ city: 'B' })).toEqual(echo);
  });

  it('recognizes values of a post, under any name of the object type, until another value is written', async () => {
    const lab = aLab();
    const echoes = { check: true, suppress: false, sends: true };
    const sender = testContext(1n, { echoes: { ...echoes, eventId: 'out' } });
    const record = { objectType: '0-1', crmId: '7', properties: { city: 'A', email: 'a@x.co' } };
    await lab.active(() => keepSent(lab.fingerprints, sender, record));
    expect(await lab.judge({ city: 'A' })).toEqual(echo);
    const writer = testContext(2n, { echoes: { ...echoes, eventId: 'b' } });
    const lands = (city: string) =>
      keepWritten({ fingerprints: lab.fingerprints, causes: noCauses }, writer,
        { objectType: 'contacts', crmId: '7', properties: { city } });
    await lab.active(() => lands('A'));
    expect(await lab.judge({ city: 'A' })).toEqual(echo);
    await lab.active(() => lands('B'));
    expect(await lab.judge({ city: 'A' })).toEqual(write);
    expect(await lab.judge({ email: 'a@x.co' })).toEqual(echo);
  });

  it('does not skip a repeat of the same event, a forced replay, or a flow without the check', async () => {
    const lab = aLab();
    await lab.active(() => lab.fingerprints.keep(key, 'out', { city: 'A' }));
    expect(await lab.judge({ city: 'A' }, { eventId: 'out' })).toEqual(write);
    expect(await lab.judge({ city: 'A' }, { forced: true })).toEqual(write);
    expect(await lab.judge({ city: 'A' }, { check: false })).toEqual(write);
  });

  it('recognizes an echo of a record that was sent out before it was ever written', async () => {
    const lab = aLab();
    await lab.active(() => lab.fingerprints.keep(key, 'out', { email: 'a@x.co', city: 'A' }));
    const policy = createFirstEchoPolicy(lab.fingerprints);
    const subjectOf = (city: string, more: object = {}) => ({
      unit: testContext(1n, { echoes: { check: true, suppress: false, sends: true, eventId: 'in' }, ...more }),
      write: {
        entity: 'person', externalId: 'A', objectType: 'contacts', properties: { city, email: 'a@x.co' },
        identityProperty: 'email', identityValue: 'a@x.co',
      },
      record: { objectType: 'contacts', property: 'email', value: 'a@x.co' },
    });
    const at = '2026-01-01T00:00:00Z';
    const found = (id: string) => ({ id, properties: {}, archived: false, createdAt: at, updatedAt: at });
    const judge = (city: string, id: string | null) =>
      lab.active(async () => policy.judge(subjectOf(city), id === null ? null : found(id)));
    expect(policy.concerns(subjectOf('A'))).toBe(true);
    expect(await judge('A', '7')).toEqual(echo);
    expect([await judge('B', '7'), await judge('A', '8'), await judge('A', null)]).toEqual([write, write, write]);
    expect(policy.concerns(subjectOf('A', { forced: true }))).toBe(false);
    // A connector that sends nothing out has no echoes: no record is read.
    expect(policy.concerns(subjectOf('A', { echoes: { check: true, suppress: false, eventId: 'in' } }))).toBe(false);
    expect(policy.concerns({ ...subjectOf('A'), record: { objectType: 'contacts', crmId: '7' } })).toBe(false);
  });

  it('writes without the key-value store', async () => {
    const lab = aLab();
    await lab.active(() => lab.fingerprints.keep(key, 'out', { city: 'A' }));
    lab.setAway(true);
    expect(await lab.judge({ city: 'A' })).toEqual(write);
    await lab.active(() => lab.fingerprints.keep(key, 'out', { city: 'B' }));
  });

  it('reads concurrent records in one command', async () => {
    const lab = aLab();
    await Promise.all(Array.from({ length: 40 }, (_, index) => lab.judge({ city: 'A' }, { crmId: String(index) })));
    expect(lab.commands).toEqual(['get 40']);
  });
});

describe('suppress_echo', () => {
  const written = { ...key, kind: 'written' } as const;
  /** What is recognized of a value, and links of its cause, when the event was accepted at 5000 beside a request. */
  const crossed = async (
    { endedAt, later, values = { city: 'A' }, suppress = true }: {
      endedAt: number | null; values?: object; suppress?: boolean;
      /** What another request carried afterwards, which has ended long before. */
      later?: object;
    },
  ) => {
    const lab = aLab();
    const causes: number[] = [];
    const echoes = { check: true, suppress, sends: true, acceptedAt: 5_000 };
    const sender = testContext(1n, { echoes: { ...echoes, eventId: 'out', hops: 3 } });
    const record = { objectType: '0-1', crmId: '7', properties: values as Record<string, PropertyValue> };
    await lab.active(() => keepSending(lab.fingerprints, sender, record, endedAt));
    if (later) {
      const next = testContext(3n, { echoes: { ...echoes, eventId: 'next', hops: 1 } });
      const carried = { ...record, properties: later as Record<string, PropertyValue> };
      await lab.active(() => keepSending(lab.fingerprints, next, carried, 1_000));
    }
    const keep = async (_key: unknown, { hops }: { hops: number }) => void causes.push(hops);
    const memory = { fingerprints: lab.fingerprints, causes: { ...noCauses, keep } };
    const writer = testContext(2n, { echoes: { ...echoes, eventId: 'in', hops: 0 } });
    const landed = { objectType: 'contacts', crmId: '7', properties: { city: 'B', phone: '1' } };
    await lab.active(() => keepWritten(memory, writer, landed));
    return { recognized: Object.keys((await lab.active(() => lab.fingerprints.latest(written)))?.values ?? {}), causes };
  };

  it('does not recognize values that crossed a request with others; they continue the chain of that request', async () => {
    for (const endedAt of [null, 5_000, 4_000, 9_000])
      expect(await crossed({ endedAt })).toEqual({ recognized: [], causes: [4] });
  });

  it('looks at the last request of each property: a later one with other properties hides no crossed one', async () => {
    expect(await crossed({ endedAt: null, later: { email: 'a@x.co', phone: '2' } })).toEqual({ recognized: [], causes: [4] });
    expect(await crossed({ endedAt: null, later: { city: 'C' } })).toEqual({ recognized: ['city', 'phone'], causes: [0] });
  });

  it('recognizes values that follow a request, values that it carried too, and needs the switch', async () => {
    const own = { recognized: ['city', 'phone'], causes: [0] };
    expect(await crossed({ endedAt: 3_999 })).toEqual(own);
    for (const values of [{ city: 'B' }, { email: 'a@x.co' }]) expect(await crossed({ endedAt: null, values })).toEqual(own);
    expect(await crossed({ endedAt: null, suppress: false })).toEqual({ recognized: [], causes: [0] });
  });

  it('keeps digests of written values for a while, separate from sent ones', async () => {
    const lab = aLab();
    const landed = { objectType: 'contacts', crmId: '7', properties: { email: 'a@x.co' } };
    const unit = testContext(1n, { echoes: { check: false, suppress: true, eventId: 'in' } });
    await lab.active(() => keepWritten({ fingerprints: lab.fingerprints, causes: noCauses }, unit, landed));
    await lab.active(() => keepWritten({ fingerprints: lab.fingerprints, causes: noCauses }, testContext(1n),
      { ...landed, crmId: '8' }));
    expect(lab.commands).toEqual(['set for 1000']);
    expect([...lab.kept.values()].join()).not.toContain('a@x.co');
    const written = await lab.active(() => lab.fingerprints.latest({ ...key, kind: 'written' }));
    expect(isEcho(written, 'journal', { email: 'A@x.co' })).toBe(true);
    expect(isEcho(written, 'journal', { email: 'b@x.co' })).toBe(false);
    expect(await lab.active(() => lab.fingerprints.latest(key))).toBeNull();
  });
});
