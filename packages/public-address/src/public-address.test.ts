import { isPrivateTarget } from './private-target';
import { isPublicAddress } from './public-address';

const publicAddresses = [
  '93.184.215.14',
  '8.8.8.8',
  '172.32.0.1',
  '11.0.0.1',
  '2606:4700::1111',
  '[2606:4700::1111]',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

const privateAddresses: [kind: string, address: string][] = [
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.0.9'],
  ['loopback', '::1'],
  ['loopback', '[::1]'],
  ['unspecified', '0.0.0.0'],
  ['unspecified', '0.1.2.3'],
  ['unspecified', '::'],
  ['private', '10.1.2.3'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['unique local', 'fd00::1'],
  ['site-local', 'fec0::1'],
  ['link-local, cloud metadata', '169.254.169.254'],
  ['link-local', 'fe80::1'],
  ['carrier', '100.64.0.1'],
  ['cloud metadata', 'fd00:ec2::254'],
  ['benchmark', '198.18.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.9'],
  ['documentation', '2001:db8::1'],
  ['protocol assignments', '192.0.0.8'],
  ['discard', '100::1'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['IPv4 mapped', '::ffff:127.0.0.1'],
  ['IPv4 mapped', '::ffff:a9fe:a9fe'],
  ['IPv4 mapped', '::ffff:10.0.0.1'],
  ['IPv4 compatible', '::127.0.0.1'],
  ['IPv4 translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b::a00:1'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
];

/** The address as the host of a URL. */
const urlOf = (address: string): string =>
  `http://${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:8080/x`;

describe('an address of the public internet', () => {
  it.each(publicAddresses)('%s is one, alone and in a URL', (address) => {
    expect([isPublicAddress(address), isPrivateTarget(urlOf(address))]).toEqual([true, false]);
  });

  it.each(privateAddresses)('%s is none, alone and in a URL: %s', (_kind, address) => {
    expect([isPublicAddress(address), isPrivateTarget(urlOf(address))]).toEqual([false, true]);
  });

  it.each(['fe80::1%eth0', 'localhost', '', '1.2.3.4.5'])('what is no address is none: %p', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('a URL', () => {
  it.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://u:p@127.0.0.1/',
    'http://127.0.0.1/{$.payload.id}',
    'http://１２７.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST.:80/',
    'http://a.localhost/',
    'http://redis:6379/',
    'http://config-api.sluice.svc/',
    'http://x.svc.cluster.local/',
    'http://metadata.google.internal/',
    'http://169.254.169.254/latest/meta-data/',
  ])('%s is a private target', (url) => expect(isPrivateTarget(url)).toBe(true));

  it.each([
    'https://api.example.com/orders',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    '/relative',
    '{$.payload.url}',
    '',
    'not a url',
  ])('%p is none', (url) => expect(isPrivateTarget(url)).toBe(false));
});
