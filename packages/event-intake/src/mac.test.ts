import { createHmac, randomBytes } from 'node:crypto';
import { createMac } from './mac';

test('equals createHmac, for long and short messages in turn', () => {
  for (const keyBytes of [1, 32, 64]) {
    const secret = randomBytes(keyBytes);
    const mac = createMac(secret);
    for (const length of [57, 0, 1, 63, 64, 65, 300, 57]) {
      const message = randomBytes(length);
      expect(mac(message.toString('latin1'))).toBe(createHmac('sha256', secret).update(message).digest('binary'));
    }
  }
});

test('refuses a key of more than 64 bytes, which HMAC would hash first', () => {
  expect(() => createMac(randomBytes(65))).toThrow('at most 64 bytes');
});
