import type { Step } from '@sluice/contracts';
import { checkConfig } from './check-config';
import { shopConfig } from '../testing/shop-config';

/** What is refused of a step: kind and place below the step. */
function refused(step: Partial<Step>): string[] {
  const config = shopConfig();
  config.sources.push({ name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } });
  config.flows[0]!.steps.push({ id: 'more', action: 'post', target: 'erp', url: '/x', body: {}, ...step });
  const at = config.flows[0]!.steps.length - 1;
  return checkConfig(config, { moment: 'save' }).map(({ type, loc }) => {
    expect(loc.slice(0, 5)).toEqual(['body', 'flows', 0, 'steps', at]);
    return `${type} ${loc.slice(5).join('.')}`;
  });
}
const headers = (given: Record<string, unknown>): string[] => refused({ headers: given });

describe('headers of a step', () => {
  const names = ['Authorization', 'proxy-authorization', 'Cookie', 'X-API-Key', 'X-Auth-Token', 'Client-Secret'];
  test.each(names)('%s holds no secret', (name) =>
    expect(headers({ [name]: 'hunter2' })).toEqual([`secret_not_declarable headers.${name}`]));

  test.each(['Bearer hunter2', 'basic aHVudGVyMg==', 'Bearer {$.payload.token}'])('no header has the value %p', (value) =>
    expect(headers({ 'X-Who': value })).toEqual(['secret_not_declarable headers.X-Who']));

  test('what the event brought may have such a name, but does not sign in', () => {
    expect(headers({ 'X-Token': '$.payload.token', 'X-Api-Key': '{$.payload.key}', 'X-Secret': '$look.secret' })).toEqual([]);
    expect(headers({ Authorization: '$.payload.token' })).toEqual(['secret_not_declarable headers.Authorization']);
    expect(headers({ 'X-Api-Key': 'k-{$.payload.key}' })).toEqual(['secret_not_declarable headers.X-Api-Key']);
  });

  test.each([
    'Host', 'content-length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Expect', 'Proxy-Connection',
    'Proxy-Authenticate',
  ])('%s belongs to the connection', (name) => expect(headers({ [name]: 'x' })).toEqual([`header_invalid headers.${name}`]));

  test('no name that is none, no value of two lines', () => {
    expect(headers({ 'a b': 'x', A: 'b\r\nHost: evil' })).toEqual(['header_invalid headers.a b', 'header_invalid headers.A']);
  });

  test('usual headers are taken, in every action that has them', () => {
    const usual = { Accept: 'text/plain', 'Content-Type': 'text/csv', 'Idempotency-Key': '$.payload.id', 'X-Kind': 'order' };
    expect(headers(usual)).toEqual([]);
    for (const step of [
      { action: 'notify', url: 'https://chat.example.com/hook', message: 'x' },
      { action: 'export_file', rows: '$contact.rows', format: 'csv', target: 'erp', url: '/x' },
      { action: 'delete', target: 'erp', entity: 'contact', url: '/c/{external_id}' },
    ]) {
      expect(refused({ ...step, body: undefined, headers: { 'X-Kind': 'x' } })).toEqual([]);
      expect(refused({ ...step, body: undefined, headers: { Cookie: 'x' } })).toEqual(['secret_not_declarable headers.Cookie']);
    }
  });
});

describe('the URL of a step', () => {
  test.each(['/x?api_key=hunter2', '/x?a=1&access_token=hunter2'])('%s holds no secret', (url) =>
    expect(refused({ url })).toEqual(['secret_not_declarable url']));

  test('nor the whole one of a notification', () => {
    const notify = (url: string) => refused({ action: 'notify', target: undefined, body: undefined, message: 'x', url });
    expect(notify('https://me:hunter2@chat.example.com/x')).toEqual(['secret_not_declarable url']);
    expect(notify('https://chat.example.com/services/T1/B2')).toEqual([]);
  });

  test('what the event brought may stand there', () => {
    const urls = ['/x?token={$.payload.token}', '/orders/{$.payload.id}?page=2', '$.payload.url'];
    for (const url of urls) expect(refused({ url })).toEqual([]);
  });
});

test('no secret is repeated', () => {
  const config = shopConfig();
  const step = { id: 'more', action: 'notify', url: 'https://a:hunter2@b.example', message: 'x', headers: { Cookie: 'hunter2' } };
  config.flows[0]!.steps.push(step as Step);
  expect(JSON.stringify(checkConfig(config, { moment: 'save' }))).not.toContain('hunter2');
});
