import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The address a request comes from, `unknown` when its connection is gone already. For log lines and the audit log. */
export type CallerAddress = (request: IncomingMessage) => string;

/** @param trustProxy SLUICE_TRUST_PROXY: the number of proxies in front whose `X-Forwarded-For` is trusted */
export function callerAddress(trustProxy: number): CallerAddress {
  const trust = (_address: string, hop: number): boolean => hop < trustProxy;
  return (request) => {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return 'unknown';
    return withoutMapping(trustProxy === 0 ? remoteAddress : proxyAddr(request, trust));
  };
}

/**
 * The network that limits count as one caller: an IPv4 address, or an IPv6 /64 network, which usually belongs to one customer of
 * a provider.
 */
export function callerNetwork(address: string): string {
  const plain = withoutMapping(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = (plain.split('%', 1)[0] as string).split('::');
  const groupsOf = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** An IPv4 caller of a socket that listens on IPv6 is written `::ffff:192.0.2.1`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
