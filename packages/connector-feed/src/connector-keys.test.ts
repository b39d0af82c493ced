import { type ConnectorChange, maxKeysInChange } from '@sluice/contracts';
import { createConnectorDirectory } from './connector-directory';
import { createConnectorKeys } from './connector-keys';
import { aConnector } from './testing';

const key = (name: string, expires_at: string | null = null) => ({ id: name, hash: `hash of ${name}`, expires_at });
const state = (revision: number, ...names: string[]): ConnectorChange =>
  aConnector({ revision, keys: names.map((name) => key(name)) });

function lab() {
  const directory = createConnectorDirectory({ reader: { connector: () => Promise.resolve(null) }, keepKeys: true });
  const keys = createConnectorKeys(directory);
  return { directory, keys, opens: (name: string, now = 0) => keys.byHash(`hash of ${name}`, now)?.revision };
}

test('a lower revision than the known one is ignored', () => {
  const news: number[] = [];
  const { directory, opens } = lab();
  directory.onChange(({ revision }) => void news.push(revision));
  for (const change of [state(2, 'a'), state(1, 'b'), state(2, 'c'), state(3, 'd')]) directory.apply(change);
  expect(['a', 'b', 'c', 'd'].map((name) => opens(name))).toEqual([undefined, undefined, undefined, 3]);
  expect(news).toEqual([2, 3]);
});

test('a key that was looked up is valid only for the revision it was read with', () => {
  const { directory, keys, opens } = lab();
  directory.apply(state(5, 'a'));
  keys.found({ change: state(5, 'a'), key: key('old') });
  expect([opens('a'), opens('old')]).toEqual([5, 5]);
  // Whatever the change was, the key may be the one that was revoked.
  directory.apply(state(6, 'a'));
  expect([opens('a'), opens('old')]).toEqual([6, undefined]);
  keys.found({ change: state(5, 'a'), key: key('old') });
  expect(opens('old')).toBeUndefined();
  keys.found({ change: state(7, 'a'), key: key('old') });
  expect([opens('a'), opens('old')]).toEqual([7, 7]);
});

test('keys expire, and go with their connector', () => {
  const { directory, keys, opens } = lab();
  directory.apply(aConnector({ keys: [key('a', '2026-01-01T00:00:00.000Z'), key('b')] }));
  expect([opens('a', Date.UTC(2025, 11, 31)), opens('a', Date.UTC(2026, 0, 1))]).toEqual([1, undefined]);
  keys.found({ change: state(1), key: key('c') });
  directory.apply({ ...state(2), deleted: true });
  keys.found({ change: { ...state(2), deleted: true }, key: key('c') });
  expect(['a', 'b', 'c'].map((name) => opens(name))).toEqual([undefined, undefined, undefined]);
  directory.apply(state(3, 'd'));
  directory.forget(aConnector().connector_id);
  expect([opens('d'), directory.get(aConnector().connector_id)]).toEqual([undefined, undefined]);
});

test('a change stays small: 100 keys with an expiry are less than 32 KiB', () => {
  const keys = Array.from({ length: maxKeysInChange }, () => ({
    id: aConnector().connector_id,
    hash: 'a'.repeat(64),
    expires_at: '2026-01-01T00:00:00.000Z',
  }));
  expect(
    Buffer.byteLength(
      JSON.stringify(aConnector({ name: '\u{1F600}'.repeat(128), default_store_id: '\u{1F600}'.repeat(128), keys })),
    ),
  ).toBeLessThan(32_768);
});
