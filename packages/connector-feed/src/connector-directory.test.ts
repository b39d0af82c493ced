import type { ConnectorChange } from '@sluice/contracts';
import { turns } from '@sluice/ports/testing';
import { createConnectorDirectory } from './connector-directory';

const change = (revision: number, more: Partial<ConnectorChange> = {}): ConnectorChange =>
  ({ connector_id: 'c', revision, status: 'active', organization: { state: 'active' }, ...more }) as ConnectorChange;

/** A reader that answers when the test lets it. */
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
  it('keeps the newest state, and calls listeners only for a newer one', () => {
    const directory = createConnectorDirectory({ reader: gatedReader(), keepKeys: false });
    const news: number[] = [];
    directory.onChange(({ revision }) => { news.push(revision); });
    for (const revision of [3, 2, 3, 5]) directory.apply(change(revision));
    expect(directory.get('c')).toMatchObject({ revision: 5 });
    expect(news).toEqual([3, 5]);
    expect(directory.get('unknown')).toBeUndefined();
  });

  it('answers at once with what it knows, unless that is behind', () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    directory.apply(change(4));
    expect([directory.atLeast('c', 3), directory.atLeast('c', 4)]).toMatchObject([{ revision: 4 }, { revision: 4 }]);
    expect([directory.atLeast('c', 5), directory.atLeast('unknown', 0)]).toEqual([undefined, undefined]);
    expect(reader.asked).toEqual([]);
  });

  it('reads an unknown connector once for all who need it', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const all = Promise.all([directory.ensure('c', 1), directory.ensure('c', 1)]);
    reader.answer(change(4));
    expect((await all).map((known) => known?.revision)).toEqual([4, 4]);
    expect(await directory.ensure('c', 4)).toMatchObject({ revision: 4 });
    expect(reader.asked).toEqual(['c']);
  });

  it('reads again when it is behind', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    directory.apply(change(4));
    const newer = directory.ensure('c', 5);
    reader.answer(change(6));
    expect(await newer).toMatchObject({ revision: 6 });
  });

  it('does not use a read that began before the revision was asked for', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
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

  it('does not read again when the read under way was new enough', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const both = Promise.all([directory.ensure('c', 1), directory.ensure('c', 5)]);
    reader.answer(change(5));
    expect(await both).toMatchObject([{ revision: 5 }, { revision: 5 }]);
    expect(reader.asked).toHaveLength(1);
  });

  it('answers with the state that the topic delivered while it read an older one', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const known = directory.ensure('c', 1);
    directory.apply(change(9));
    reader.answer(change(4));
    expect(await known).toMatchObject({ revision: 9 });
  });

  it('says that a connector does not exist, and asks again the next time, also after a failure', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const answers: (ConnectorChange | null | Error)[] = [null, new Error('down'), change(1)];
    const results = [];
    for (const answer of answers) {
      const result = directory.ensure('c', 1).catch((error: Error) => error.message);
      reader.answer(answer);
      results.push(await result);
    }
    expect(results).toMatchObject([null, 'down', { connector_id: 'c', revision: 1 }]);
  });

  it('keeps no keys unless asked to', () => {
    const directory = createConnectorDirectory({ reader: gatedReader(), keepKeys: false });
    directory.apply(
      change(1, { keys: [{ id: 'k', hash: 'h', expires_at: null } as unknown as ConnectorChange['keys'][number]] }),
    );
    expect(directory.get('c')!.keys).toEqual([]);
  });

  it('keeps keys with keepKeys', () => {
    const directory = createConnectorDirectory({ reader: gatedReader(), keepKeys: true });
    const keys = [{ id: 'k', hash: 'h', expires_at: null }];
    directory.apply(change(1, { keys }));
    expect(directory.get('c')!.keys).toEqual(keys);
  });

  it('forgets a connector, and calls the listeners', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const forgotten: string[] = [];
    directory.onForget((id) => { forgotten.push(id); });
    directory.apply(change(3));
    directory.forget('c');
    expect([directory.get('c'), forgotten]).toEqual([undefined, ['c']]);
    const again = directory.ensure('c', 3);
    reader.answer(null);
    expect(await again).toBeNull();
  });

  it('does not learn a connector again from a read that was begun before it was forgotten', async () => {
    const reader = gatedReader();
    const directory = createConnectorDirectory({ reader, keepKeys: false });
    const before = directory.ensure('c', 1);
    directory.forget('c');
    const after = directory.ensure('c', 1);
    reader.answer(change(2));
    reader.answer(null);
    expect([await before, await after, directory.get('c'), reader.asked.length]).toEqual([null, null, undefined, 2]);
  });
});
