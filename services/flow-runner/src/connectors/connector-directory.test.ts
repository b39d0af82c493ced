import type { ConnectorChange } from '@sluice/contracts';
import { turns } from '../test-support/turns';
import { createConnectorDirectory, stoppedReason } from './connector-directory';

const change = (revision: number, more: Partial<ConnectorChange> = {}): ConnectorChange => ({ connector_id: 'c', revision, status: 'active', organization: { state: 'active' }, ...more }) as ConnectorChange;

/** A reader that answers when it is told to. */
function gatedReader() {
  const asked: string[] = [];
  const gates: ((answer: ConnectorChange | null | Error) => void)[] = [];
  const connector = (id: string): Promise<ConnectorChange | null> => {
    asked.push(id);
    return new Promise((resolve, reject) => gates.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))));
  };
  return { asked, connector, answer: (answer: ConnectorChange | null | Error) => gates.shift()!(answer) };
}

describe('connector directory', () => {
  it('keeps the newest state it heard of, and tells only news', () => {
    const directory = createConnectorDirectory(gatedReader());
    const news: number[] = [];
    directory.onChange(({ revision }) => { news.push(revision); });
    for (const revision of [3, 2, 3, 5]) directory.heard(change(revision));
    expect(directory.get('c')).toMatchObject({ revision: 5 });
    expect(news).toEqual([3, 5]);
    expect(directory.get('unknown')).toBeUndefined();
  });

  it('reads an unknown connector once for all who need it', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    const all = Promise.all([directory.ensure('c', 1), directory.ensure('c', 1)]);
    reader.answer(change(4));
    expect((await all).map((known) => known?.revision)).toEqual([4, 4]);
    expect(await directory.ensure('c', 4)).toMatchObject({ revision: 4 });
    expect(reader.asked).toEqual(['c']);
  });

  it('reads again when it is behind', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    directory.heard(change(4));
    const newer = directory.ensure('c', 5);
    reader.answer(change(6));
    expect(await newer).toMatchObject({ revision: 6 });
  });

  it('does not take a read for an answer that was begun before the revision was asked for', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    const first = directory.ensure('c', 1);
    const joined = [directory.ensure('c', 5), directory.ensure('c', 6)];
    reader.answer(change(4));
    expect(await first).toMatchObject({ revision: 4 });
    await turns();
    expect(reader.asked).toHaveLength(2);
    reader.answer(change(6));
    expect(await Promise.all(joined)).toMatchObject([{ revision: 6 }, { revision: 6 }]);
    expect(reader.asked).toHaveLength(2);
  });

  it('reads no second time when the read under way was new enough', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    const both = Promise.all([directory.ensure('c', 1), directory.ensure('c', 5)]);
    reader.answer(change(5));
    expect(await both).toMatchObject([{ revision: 5 }, { revision: 5 }]);
    expect(reader.asked).toHaveLength(1);
  });

  it('answers with what it heard while it read something older', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    const known = directory.ensure('c', 1);
    directory.heard(change(9));
    reader.answer(change(4));
    expect(await known).toMatchObject({ revision: 9 });
  });

  it('says that a connector does not exist, and asks again the next time, also after a failure', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory(reader);
    const answers: (ConnectorChange | null | Error)[] = [null, new Error('down'), change(1)];
    const results = [];
    for (const answer of answers) {
      const result = directory.ensure('c', 1).catch((error: Error) => error.message);
      reader.answer(answer);
      results.push(await result);
    }
    expect(results).toMatchObject([null, 'down', { connector_id: 'c', revision: 1 }]);
  });

  it('keeps no keys: they are for acceptors, and many', () => {
    const directory = createConnectorDirectory(gatedReader());
    directory.heard(change(1, { keys: [{ id: 'k', hash: 'h', expires_at: null } as unknown as ConnectorChange['keys'][number]] }));
    expect(directory.get('c')!.keys).toEqual([]);
  });
});

describe('why a connector stands still', () => {
  it.each([
    [change(1), null],
    [change(1, { status: 'paused' }), 'paused'],
    [change(1, { status: 'error' }), 'paused'],
    [change(1, { status: 'paused', organization: { ...change(1).organization, state: 'suspended' } }), 'organization_stopped'],
  ])('%#: %j', (state, reason) => {
    expect(stoppedReason(state)).toBe(reason);
  });
});
