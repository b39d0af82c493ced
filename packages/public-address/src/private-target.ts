import { isIP } from 'node:net';
import { isPublicAddress } from './public-address';

/** Names that only a resolver of one's own network knows. A name without a dot is one, too. */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|home\.arpa)$/;

/**
 * Whether a URL says by itself that it leads to this machine or a private network: an address, in whatever notation, or a local
 * name.
 * What a public name resolves to is not looked at. References in its path do not matter.
 */
export function isPrivateTarget(url: string): boolean {
  if (!URL.canParse(url)) return false;
  // The parser of URLs has turned every spelling of an IPv4 address (hexadecimal, one number) into four numbers.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();
  if (host === '') return false;
  return isIP(host) === 0 ? !host.includes('.') || localName.test(host) : !isPublicAddress(host);
}
