import type { ConfigDocument, Source } from '@sluice/contracts';
import { newCredentialHosts } from './credential-hosts';

const config = (...sources: Source[]) => ({ sources }) as ConfigDocument;
const rest = (name: string, base_url: string, more: object): Source => ({ name, type: 'rest', config: { base_url, ...more } });
const pairs = (now: ConfigDocument, before: ConfigDocument | null) =>
  newCredentialHosts(now, before).map(({ credential_name: credential, host, source }) => `${credential} ${host} ${source}`);

test('every place where a source names a credential counts, each pair once a source', () => {
  const named = { credential_name: 'main', secret_headers: { A: 'second', B: 'main' } };
  const erp = rest('erp', 'https://erp.example.com:8443/api', named);
  const list: Source = { name: 'list', type: 'poller', config: { url: 'https://shop.example.com/x', credential_name: 'main' } };
  expect(pairs(config(erp, list, rest('open', 'https://open.example.com', {})), null)).toEqual(
    ['main erp.example.com:8443 erp', 'second erp.example.com:8443 erp', 'main shop.example.com list'],
  );
});

test('only what was not published counts, whatever source had it', () => {
  const before = config(rest('erp', 'https://erp.example.com/api', { credential_name: 'main' }));
  const after = config(
    rest('renamed', 'https://erp.example.com/other', { credential_name: 'main' }),
    rest('eu', 'https://eu.example.com', { credential_name: 'main' }),
    rest('third', 'https://erp.example.com', { credential_name: 'second' }),
  );
  expect(pairs(after, before)).toEqual(['main eu.example.com eu', 'second erp.example.com third']);
  expect(pairs(before, before)).toEqual([]);
});
