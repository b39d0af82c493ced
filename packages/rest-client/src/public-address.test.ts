import { isPublicAddress } from './public-address';

describe('an address of the public internet', () => {
  it.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '[2606:4700::1111]', '::ffff:8.8.8.8', '64:ff9b::808:808'])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['loopback', '127.0.0.1'], ['loopback', '127.255.0.9'], ['loopback', '::1'], ['loopback', '[::1]'], ['unspecified', '0.0.0.0'], ['unspecified', '0.1.2.3'], ['unspecified', '::'],
    ['private', '10.1.2.3'], ['private', '172.16.0.1'], ['private', '172.31.255.255'], ['private', '192.168.1.1'], ['unique local', 'fd00::1'], ['site-local', 'fec0::1'],
    ['link-local, cloud metadata', '169.254.169.254'], ['link-local', 'fe80::1'], ['carrier', '100.64.0.1'], ['cloud metadata', 'fd00:ec2::254'],
    ['benchmark', '198.18.0.1'], ['documentation', '192.0.2.1'], ['documentation', '203.0.113.9'], ['documentation', '2001:db8::1'], ['protocol assignments', '192.0.0.8'],
    ['multicast', '224.0.0.1'], ['multicast', 'ff02::1'], ['broadcast', '255.255.255.255'], ['reserved', '240.0.0.1'],
    ['IPv4 mapped', '::ffff:127.0.0.1'], ['IPv4 mapped', '::ffff:a9fe:a9fe'], ['IPv4 compatible', '::127.0.0.1'], ['IPv4 translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'], ['NAT64', '64:ff9b::a00:1'], ['local NAT64', '64:ff9b:1::a00:1'], ['6to4', '2002:7f00:1::'], ['Teredo', '2001:0:7f00:1::'],
    ['with a zone', 'fe80::1%eth0'], ['not an address', 'localhost'], ['not an address', ''], ['not an address', '1.2.3.4.5'],
  ])('%s is not: %s', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
