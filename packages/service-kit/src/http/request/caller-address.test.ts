import type { IncomingMessage } from 'node:http';
import { callerAddress, callerNetwork } from './caller-address';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    connection: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test('only the configured number of proxies is trusted', () => {
  const sent = request('10.0.0.1', '203.0.113.9, 198.51.100.7');
  expect([0, 1, 2, 3].map((hops) => callerAddress(hops)(sent))).toEqual([
    '10.0.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '203.0.113.9',
  ]);
  expect(callerAddress(1)(request('10.0.0.1'))).toBe('10.0.0.1');
  expect(callerAddress(0)(request(undefined))).toBe('unknown');
});

test('an IPv4 address is written one way', () => {
  expect(callerAddress(0)(request('::ffff:192.0.2.1'))).toBe('192.0.2.1');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['unknown', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(callerNetwork(address)).toBe(network);
});
