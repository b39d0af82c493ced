import { UsedSecrets } from './used-secrets';

describe('secrets that steps have used', () => {
  it('are masked by a mask that was made before they were used', () => {
    const used = new UsedSecrets();
    const mask = used.maskOf(['connector', 'credential']);
    expect(mask('key-4711 token-1')).toBe('key-4711 token-1');
    used.add('connector', ['key-4711']);
    expect(mask('key-4711 token-1')).toBe('*** token-1');
    used.add('credential', ['token-1']);
    used.add('connector', ['key-4712']);
    expect(mask('key-4711 key-4712 token-1')).toBe('*** *** ***');
  });

  it('are those of their owners alone', () => {
    const used = new UsedSecrets();
    used.add('other', ['key-4711']);
    expect(used.maskOf(['connector'])('key-4711')).toBe('key-4711');
  });

  it('are forgotten when many others were used since', () => {
    const used = new UsedSecrets();
    used.add('connector', ['first-key', 'second-key']);
    used.add('connector', ['first-key', ...Array.from({ length: 63 }, (_, index) => `rotated-${index}-`)]);
    expect(used.maskOf(['connector'])('first-key second-key')).toBe('*** second-key');
  });
});
