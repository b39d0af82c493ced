import { createDeniedAddresses } from './denied-targets';
import { isPrivateTarget } from './private-target';

describe('addresses that are never a target', () => {
  it.each(['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', '[fd00:ec2::254]', '::ffff:168.63.129.16', '::ffff:a83f:8110'])(
    'a metadata service: %s', (address) => expect(createDeniedAddresses()(address)).toBe(true),
  );

  it.each(['127.0.0.1', '168.63.129.17', '10.0.0.1', 'fd00:ec2::253', 'localhost', ''])(
    'nothing else by itself: %p', (address) => expect(createDeniedAddresses()(address)).toBe(false),
  );

  it('and what the operator lists', () => {
    const isDenied = createDeniedAddresses(['203.0.113.7', '10.20.0.0/16', 'fd12::/16']);
    expect(['203.0.113.7', '10.20.255.255', '::ffff:10.20.0.1', 'fd12:1::1'].map(isDenied)).toEqual([true, true, true, true]);
    expect(['203.0.113.8', '10.21.0.0', 'fd13::1'].map(isDenied)).toEqual([false, false, false]);
  });

  it('one that lies among public addresses is refused when it is saved', () => {
    expect(['168.63.129.16', '[::ffff:168.63.129.16]', '168.63.129.17'].map((host) => isPrivateTarget(`http://${host}/`)))
      .toEqual([true, true, false]);
  });
});

it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0', 'shop.example', ''])('%p is no network', (text) => {
  expect(() => createDeniedAddresses([text])).toThrow();
});
