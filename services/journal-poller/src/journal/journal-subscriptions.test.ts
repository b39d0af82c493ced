import type { JournalSubscription } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { compileJournalSource } from '@sluice/sources';
import type { ReadySource } from './journal-sources';
import { JournalSubscriptions } from './journal-subscriptions';

const wish = (portalId: string, properties: string[], revision = 1): ReadySource => ({
  connector: { connector_id: `c-${portalId}`, revision } as ReadySource['connector'],
  name: 'changes', portalId, since: new Date(1),
  source: compileJournalSource({ triggers: [{ object_type: 'contacts', properties }] }, []),
});

function aLab() {
  const asked: (JournalSubscription | string)[] = [];
  const answer = <T>(value: T) => Promise.resolve({ ok: true as const, value, status: 200 });
  const subscriptions = new JournalSubscriptions({
    journal: {
      journalSubscribe: (subscription) => answer((asked.push(subscription), '0-1')),
      journalUnsubscribe: (portalId) => answer((asked.push(portalId), null)),
    },
    timeoutMs: 1_000, logger: createRecordingLogger(),
  });
  const update = async (...sources: ReadySource[]): Promise<unknown[]> => {
    await subscriptions.update(sources, new AbortController().signal);
    return asked.splice(0).map((one) => (typeof one === 'string' ? one : [one.portalId, one.properties]));
  };
  return { update };
}

test('a type of a portal is subscribed to once, with what all its sources want', async () => {
  const { update } = aLab();
  expect(await update(wish('1', ['phone']), wish('1', ['city', 'phone']), wish('2', ['city']))).toEqual([
    ['1', ['city', 'phone']], ['2', ['city']],
  ]);
  expect(await update(wish('1', ['phone']), wish('1', ['city', 'phone']), wish('2', ['city']))).toEqual([]);
  expect(await update(wish('1', ['phone']), wish('1', []), wish('2', ['city']))).toEqual([['1', []]]);
});

test('a portal that nobody wants any more is left; one that was bound anew is subscribed to again', async () => {
  const { update } = aLab();
  await update(wish('1', ['city']), wish('2', ['city']));
  expect(await update(wish('2', ['city']))).toEqual(['1']);
  expect(await update(wish('1', ['city'], 5), wish('2', ['city'], 6))).toEqual([['1', ['city']], ['2', ['city']]]);
});

test('what another process ended or narrowed between two changes is there again', async () => {
  const [one, other] = [aLab(), aLab()];
  for (const { update } of [one, other]) await update(wish('1', ['city', 'phone'], 1));
  // Each change is seen by one of them alone: which of them reads the journal next is open.
  expect(await one.update()).toEqual(['1']);
  expect(await other.update(wish('1', ['city', 'phone'], 3))).toEqual([['1', ['city', 'phone']]]);
  expect(await one.update(wish('1', ['city'], 4))).toEqual([['1', ['city']]]);
  expect(await other.update(wish('1', ['city', 'phone'], 5))).toEqual([['1', ['city', 'phone']]]);
});
