import fc from 'fast-check';
import { mailName } from './mail-name';

test.each([
  ['Coffee & Co.', 'Coffee & Co.'],
  ['  Coffee \n\r\t Co ', 'Coffee Co'],
  ['Verify at https://evil.example/now', 'Verify at https evil example now'],
  ['www.evil.example', 'www evil example'],
  ['me@evil.example', 'me evil example'],
  ['<b>bold</b>', 'b bold b'],
  ['Bcc: everybody@x.example\r\nSubject: you won', 'Bcc everybody x example Subject you won'],
  ['\u202Egnp.exe', 'gnp exe'],
  ['...', '.'],
  ['://', 'unnamed'],
])('%j is written %j', (name, written) => {
  expect(mailName(name)).toBe(written);
});

test('whatever somebody calls himself is one line of at most 64 characters without a link', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.webUrl(), fc.emailAddress()), (name) => {
    const written = mailName(name);
    expect([...written].length).toBeLessThanOrEqual(64);
    expect(written).not.toBe('');
    expect(written).not.toMatch(/[\r\n\t@<>/\\:]|\.\S/);
    expect(mailName(written)).toBe(written);
  }));
});
