import { targetUrl } from './target-url';

const base = 'https://erp.example.com/api/v2/';

describe('the URL of a request', () => {
  it.each([
    [base, '/orders', 'https://erp.example.com/api/v2/orders'],
    [base, 'orders/17?full=1', 'https://erp.example.com/api/v2/orders/17?full=1'],
    ['https://erp.example.com', '/orders', 'https://erp.example.com/orders'],
    ['https://erp.example.com/api?key=a', '/orders?full=1', 'https://erp.example.com/api/orders?key=a&full=1'],
    [base, '/orders/a%2Fb', 'https://erp.example.com/api/v2/orders/a%2Fb'],
    [base, '/orders/17#part', 'https://erp.example.com/api/v2/orders/17'],
    [base, '//evil.example.com/x', 'https://erp.example.com/api/v2/evil.example.com/x'],
    [base, '\\\\evil.example.com', 'https://erp.example.com/api/v2/evil.example.com'],
    [base, '@evil.example.com', 'https://erp.example.com/api/v2/@evil.example.com'],
  ])('appends the path to the base: %s and %s give %s', (from, path, url) => {
    expect(targetUrl(from, path)).toBe(url);
  });

  it.each(['/orders/..', '/orders/../../admin', '/orders/%2e%2E', '/orders/.%2e/x', '/.', '/a\\..\\b', '/orders/%2e?x=1'])(
    'an event cannot move it out of the base: %s',
    (path) => expect(targetUrl(base, path)).toBeNull(),
  );

  it('a base that is no URL gives null', () => expect(targetUrl('erp', '/orders')).toBeNull());
});
