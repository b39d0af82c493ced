import { coversHost, isHostPattern, readCapabilities } from './plugin-capabilities';

describe('capabilities of a plugin', () => {
  it('keep the object form, and only the namespaces that were given', () => {
    const given = { http: ['API.shop.example', '*.shop.example'], store: ['read', 'write', 'read'] };
    expect(readCapabilities(given)).toEqual({
      ok: true,
      capabilities: { http: ['api.shop.example', '*.shop.example'], store: ['read', 'write'] },
    });
    expect(readCapabilities({ auth: [] })).toEqual({ ok: true, capabilities: { auth: [] } });
    expect(readCapabilities({})).toEqual({ ok: true, capabilities: {} });
  });

  it('are read from a flat list into the object form', () => {
    expect(readCapabilities(['http:*.shop.example', 'store:read', 'auth:erp:eu', 'http:a.example:8080'])).toEqual({
      ok: true,
      capabilities: { http: ['*.shop.example', 'a.example:8080'], store: ['read'], auth: ['erp:eu'] },
    });
    expect(readCapabilities([])).toEqual({ ok: true, capabilities: {} });
  });

  it('name every problem at its place', () => {
    const answer = readCapabilities({ http: ['*', 'ok.example'], store: ['delete'], crm: ['write'], auth: 'erp' });
    expect(answer).toMatchObject({
      ok: false,
      problems: [
        { path: ['crm'] }, { path: ['auth'] }, { path: ['http', 0], input: '*' }, { path: ['store', 0], input: 'delete' },
      ],
    });
    expect(readCapabilities(['files:read', 'store', 7])).toMatchObject({
      ok: false, problems: [{ path: [0] }, { path: [1] }, { path: [2] }],
    });
    expect(readCapabilities('http:a.example')).toMatchObject({ ok: false });
    expect(readCapabilities(null)).toMatchObject({ ok: false });
  });

  it('have a bound', () => {
    const many = Array.from({ length: 201 }, (_, index) => `auth:source-${index}`);
    expect(readCapabilities(many)).toMatchObject({ ok: false });
    expect(readCapabilities(many.slice(1))).toMatchObject({ ok: true });
  });

  it.each([
    'shop.example', '*.shop.example', 'localhost', '127.0.0.1', 'a.example:8443', 'x_y.example', '*.co',
  ])('take the host %s', (host) => expect(isHostPattern(host)).toBe(true));

  it.each([
    '*', '*.', '**.example', 'a.*.example', 'a*.example', 'https://a.example', 'a.example/x', 'a.example:*', 'a.example:0',
    'a.example:99999', '', ' a.example', 'a..example', '-a.example', 'user@a.example', '[::1]', 'a.example?x',
  ])('refuse the host %j', (host) => expect(isHostPattern(host)).toBe(false));
});

describe('the http capability', () => {
  const covers = (patterns: string[], url: string): boolean => coversHost(patterns, new URL(url));

  it('covers a name with every port, or with the port it names', () => {
    expect(covers(['shop.example'], 'https://shop.example/x')).toBe(true);
    expect(covers(['shop.example'], 'http://SHOP.example.:8080/')).toBe(true);
    expect(covers(['shop.example:8080'], 'http://shop.example:8080/')).toBe(true);
    expect(covers(['shop.example:443'], 'https://shop.example/')).toBe(true);
    expect(covers(['shop.example:8080'], 'https://shop.example/')).toBe(false);
  });

  it('covers by a wildcard the subdomains only, not the name itself', () => {
    expect(covers(['*.shop.example'], 'https://api.shop.example/')).toBe(true);
    expect(covers(['*.shop.example'], 'https://a.b.shop.example/')).toBe(true);
    expect(covers(['*.shop.example'], 'https://shop.example/')).toBe(false);
    expect(covers(['*.shop.example'], 'https://evilshop.example/')).toBe(false);
    expect(covers(['*.shop.example'], 'https://.shop.example/')).toBe(false);
  });

  it('covers nothing else', () => {
    expect(covers([], 'https://shop.example/')).toBe(false);
    expect(covers(['shop.example'], 'https://shop.example.evil.test/')).toBe(false);
    expect(covers(['shop.example'], 'https://shop.example@evil.test/')).toBe(false);
  });
});
