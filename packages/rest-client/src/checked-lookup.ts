import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Finds all addresses of a name. */
export type ResolveName = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The name, or one of its addresses, is not on the public internet, or is never a target. */
export class PrivateTargetError extends Error {
  override name = 'PrivateTargetError';
  constructor(readonly hostname: string) {
    super(refusedTarget(hostname));
  }
}

export const refusedTarget = (hostname: string): string => `${hostname} is, or leads to, a private address`;

/**
 * The name lookup of a connection, which refuses addresses. The address that is checked is the one that is connected to:
 * a name that is public when it is saved and private later (DNS rebinding) is refused too. One refused address among several
 * refuses the name.
 */
export function checkedLookup(isRefused: (address: string) => boolean, resolve: ResolveName = dnsLookup): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isRefused(address))) return done(new PrivateTargetError(hostname), []);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}
