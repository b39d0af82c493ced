import { HeaderSet } from './header-set';

describe('the headers of a request', () => {
  it('each name occurs once, in any spelling: the last value counts', () => {
    const headers = new HeaderSet();
    expect(headers.add({ Accept: 'a', 'X-Kind': '1' })).toBeNull();
    expect(headers.add({ accept: 'b' })).toBeNull();
    expect(headers.toObject()).toEqual({ 'X-Kind': '1', accept: 'b' });
    expect(headers.get('ACCEPT')).toBe('b');
  });

  it.each<[string, string]>([
    ['X Kind', 'a'], ['', 'a'], ['X-Kind', 'a\r\nHost: evil'], ['X-Kind', 'a\0'], ['X-Kind', '€'],
    ['Host', 'evil.example.com'], ['content-length', '0'], ['Transfer-Encoding', 'chunked'], ['connection', 'close'],
  ])('%p: %p is refused', (name, value) => {
    expect(new HeaderSet().add({ [name]: value })).toMatch(/header/);
  });
});
