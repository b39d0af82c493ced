import { BlockList, isIP } from 'node:net';

/** RFC 6890 and its kin: what is no address of somebody else in the public internet. IPv4 inside of IPv6 is matched by the former. */
const ranges: readonly (readonly [net: string, prefix: number, type: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'], ['10.0.0.0', 8, 'ipv4'], ['100.64.0.0', 10, 'ipv4'], ['127.0.0.0', 8, 'ipv4'], ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'], ['192.0.0.0', 24, 'ipv4'], ['192.0.2.0', 24, 'ipv4'], ['192.168.0.0', 16, 'ipv4'], ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'], ['203.0.113.0', 24, 'ipv4'], ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'], ['64:ff9b::', 96, 'ipv6'], ['64:ff9b:1::', 48, 'ipv6'], ['100::', 64, 'ipv6'], ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'], ['fc00::', 7, 'ipv6'], ['fe80::', 9, 'ipv6'], ['ff00::', 8, 'ipv6'],
];
const notPublic = new BlockList();
for (const [net, prefix, type] of ranges) notPublic.addSubnet(net, prefix, type);

/** Names that only a resolver of one's own network knows. A name without a dot is one, too. */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|home\.arpa)$/;

/** Whether an IP address is one of this machine, of a private network, or of none. */
function isPrivateAddress(address: string): boolean {
  const kind = isIP(address);
  return kind !== 0 && notPublic.check(address, kind === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Whether a URL says by itself that it leads to this machine or a private network: an address, in whatever notation, or a local name.
 * What a public name resolves to is not looked at. References in its path do not matter.
 */
export function isPrivateTarget(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();
  if (host === '') return false;
  return isIP(host) === 0 ? !host.includes('.') || localName.test(host) : isPrivateAddress(host);
}
