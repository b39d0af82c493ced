import ipaddr from 'ipaddr.js';
import { createDeniedAddresses } from './denied-targets';

/** 2000::/3, the only IPv6 addresses that are handed out on the internet (RFC 4291, section 2.4). */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Addresses of a translator to IPv4: the last four bytes are the address that is reached (RFC 6052, section 2.1). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** One of the metadata services lies among public addresses. */
const isMetadataService = createDeniedAddresses();

/**
 * Whether an IP address is one of the public internet. Everything else is not: private, loopback, link-local (cloud metadata),
 * carrier, benchmark, documentation and multicast addresses, and the IPv6 forms that embed such an IPv4 address.
 * @param text an IP address, with or without the brackets of a URL; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!ipaddr.isValid(bare)) return false;
  // `process` turns an IPv4-mapped address (::ffff:a.b.c.d) into the IPv4 address that it reaches.
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !isMetadataService(bare);
  if (address.match(translated)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return address.match(globalIpv6) && address.range() === 'unicast';
}
