import { encodeEnvelope } from '@sluice/contracts';
import { type PartitionLease, type ReceivedMessage, silentLogger } from '@sluice/ports';
import { createMemoryRunStore, until } from '@sluice/ports/testing';
import { crashWatchOn } from '../test-support/crash-watches';
import { testEnvelope, testUnit } from '../test-support/units';
import { createUnfinishedUnits } from './unfinished-units';
import { intake, type IntakeDeps } from './partition-intake';
import { planWatched } from '../planning/plan-watched';

const lease: PartitionLease = { topic: 'events.inbound', partition: 3, epoch: 1n };
const never = new Promise<never>(() => undefined);
/** The lives of runners that a culprit ends before it is quarantined: whether each took over from one that died. */
const lives = [false, true, true, true];

const messageOf = (eventId: string, offset: bigint, text?: string): ReceivedMessage => {
  const value = encodeEnvelope(testEnvelope({ event_id: eventId, connector_id: eventId, lane: eventId }));
  return {
    partition: 3,
    offset,
    key: eventId,
    timestamp: 0,
    value: text === undefined ? value : Buffer.from(value.toString().replace('"payload":{}', `"payload":${text}`)),
  };
};
const batch = ['before', 'culprit', 'after'].map((id, index) => messageOf(id, BigInt(index + 1)));

/** Several lives of a runner over one store; in each, planning `culprit` ends the process, and nothing of it continues. */
function lab() {
  const memory = createMemoryRunStore();
  const calls = { notes: 0, reads: 0 };
  const counted =
    <A extends unknown[], R>(work: (...input: A) => R, what: keyof typeof calls) =>
    (...input: A): R => {
      calls[what] += 1;
      return work(...input);
    };
  const { begin, end, countDeaths, forget } = memory.crashWatch;
  const notes = { begin: counted(begin, 'notes'), end: counted(end, 'notes'), countDeaths, forget };
  /** A life that takes over from an owner that died or released the partition. */
  const live = async (unclean: boolean) => {
    const planned: string[] = [];
    const quarantined: string[] = [];
    const crashWatch = crashWatchOn(notes);
    await crashWatch.taken(lease, unclean, 0n);
    const deps: IntakeDeps = {
      crashWatch,
      store: { finished: counted(memory.finished, 'reads') },
      logger: silentLogger,
      heldWindow: { know: () => Promise.resolve() },
      reader: { revision: () => Promise.resolve(null) },
      configs: {} as IntakeDeps['configs'],
      directory: {
        atLeast: () => undefined,
        ensure: (id: string) => {
          planned.push(id);
          return id === 'culprit' ? never : Promise.resolve(undefined);
        },
      } as unknown as IntakeDeps['directory'],
      quarantine: async (unit, deaths) => void quarantined.push(`${unit.key.eventId} after ${deaths}`),
    };
    return {
      deps,
      planned,
      quarantined,
      crashWatch,
      take: async (messages: readonly ReceivedMessage[]): Promise<string[]> =>
        (await intake(deps, lease, messages, createUnfinishedUnits())).map(({ value }) => value.key.eventId),
    };
  };
  const die = async (unclean: boolean, messages: readonly ReceivedMessage[] = batch): Promise<void> => {
    const { take, planned, quarantined } = await live(unclean);
    void take(messages);
    await until('the culprit is planned', () => planned.includes('culprit'));
    expect(quarantined).toEqual([]);
  };
  return { live, die, calls };
}

describe('the intake of a partition whose last owner died', () => {
  it('quarantines an event that ended four runners while it was planned, and takes in the others', async () => {
    const { live, die } = lab();
    for (const unclean of lives) await die(unclean);
    const { take, planned, quarantined } = await live(true);
    expect(await take(batch)).toEqual(['before', 'after']);
    expect(quarantined).toEqual(['culprit after 4']);
    expect(planned).toEqual(['before', 'after']);
  });

  it('plans a suspect while nothing else is decoded, planned or attempted', async () => {
    const { live, die } = lab();
    for (const unclean of lives.slice(0, 2)) await die(unclean);
    const { take, planned, crashWatch } = await live(true);
    let end: () => void = () => undefined;
    const attempt = (): Promise<void> =>
      new Promise((resolve) => {
        end = resolve;
      });
    const beside = crashWatch.run(
      { ...testUnit({ event_id: 'beside' }, 500n), lease },
      { attempt, quarantine: () => Promise.resolve() },
    );
    void take(batch.slice(1));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(planned).toEqual([]);
    end();
    await beside;
    await until('the culprit is planned', () => planned.length > 0);
    void take([messageOf('later', 600n)]);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(planned).toEqual(['culprit']);
  });

  it('does not decode an event that has ended four runners', async () => {
    const { live, die } = lab();
    for (const unclean of lives) await die(unclean, [messageOf('culprit', 1n)]);
    const { take, quarantined } = await live(true);
    expect(await take([messageOf('culprit', 1n, '{no json')])).toEqual([]);
    expect(quarantined).toEqual(['culprit after 4']);
  });

  it('notes nothing while no runner dies, and reads the store once per batch', async () => {
    const { live, calls } = lab();
    const { take } = await live(false);
    expect(await take([messageOf('one', 1n), messageOf('two', 2n)])).toEqual(['one', 'two']);
    expect(calls).toEqual({ notes: 0, reads: 1 });
  });

  it('notes a whole batch in one statement, and deletes the notes in one', async () => {
    const { live, calls } = lab();
    const { take } = await live(true);
    expect(await take([messageOf('one', 1n), messageOf('two', 2n), messageOf('three', 3n)])).toEqual(['one', 'two', 'three']);
    expect(calls).toEqual({ notes: 2, reads: 1 });
  });

  it('plans a held event under the watch, and quarantines it once it has ended four runners', async () => {
    const { live } = lab();
    const unit = { ...testUnit({ event_id: 'culprit', connector_id: 'culprit' }, 1n), lease };
    for (const unclean of lives) {
      const { deps, planned } = await live(unclean);
      void planWatched(deps, unit);
      await until('it is planned', () => planned.includes('culprit'));
    }
    const { deps, planned } = await live(true);
    expect(await planWatched(deps, unit)).toBeNull();
    expect(planned).toEqual([]);
  });
});
