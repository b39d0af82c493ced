import { createHmac } from 'node:crypto';
import { array, assert, constantFrom, integer, property, string, tuple, uint8Array } from 'fast-check';
import { createByteMac } from './byte-mac';

const bodies = uint8Array({ maxLength: 300 });
const call = tuple(string({ unit: 'binary', maxLength: 40 }), bodies, constantFrom(0, 0, 0, 16_300, 16_384, 20_000));

test('is the HMAC of the same bytes, whatever was signed before with the same key', () => {
  assert(property(uint8Array({ maxLength: 150 }), array(call, { maxLength: 5 }), (key, calls) => {
    const mac = createByteMac(Buffer.from(key));
    for (const [prefix, start, more] of calls) {
      const body = Buffer.concat([start, Buffer.alloc(more, 0x61)]);
      expect(mac(prefix, body)).toEqual(createHmac('sha256', Buffer.from(key)).update(prefix).update(body).digest());
    }
  }), { numRuns: 200 });
});

test('the same key signs bodies of any length', () => {
  assert(property(integer({ min: 0, max: 40_000 }), (length) => {
    const body = Buffer.alloc(length, 7);
    expect(createByteMac(Buffer.from('key'))('1.', body)).toEqual(createHmac('sha256', 'key').update('1.').update(body).digest());
  }), { numRuns: 50 });
});
