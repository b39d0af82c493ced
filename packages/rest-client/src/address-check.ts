import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createDeniedAddresses, isPrivateTarget, isPublicAddress } from '@sluice/public-address';
import { checkedLookup, type ResolveName } from './checked-lookup';

export interface AddressCheckOptions {
  /** Whether private and loopback addresses may be called (`SLUICE_ALLOW_PRIVATE_TARGETS`). */
  allowPrivateTargets: boolean;
  /** Addresses and networks that are never called (`SLUICE_DENIED_TARGETS`), beside the metadata services of clouds. */
  deniedTargets?: readonly string[];
  /** The system's name lookup, unless a test gives its own. */
  resolve?: ResolveName;
}

/** Which addresses may be called. Both parts are needed: a connection to an address needs no lookup of a name. */
export interface AddressCheck {
  /** Whether the host of the URL is itself an address, or a name, that may not be called. */
  isRefused(url: URL): boolean;
  /** For the connection: fails with `PrivateTargetError` when the name leads to an address that may not be called. */
  lookup: LookupFunction;
  /** Connections of its own, for libraries that call by node:http. Those of others may lead to an unchecked address. */
  agentOf(url: URL): HttpAgent | HttpsAgent;
  /** New agents whose every connection is checked by its name, for libraries that take no lookup. Whoever asks destroys them. */
  checkedAgents(maxSockets: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent };
}

export function createAddressCheck({ allowPrivateTargets, deniedTargets = [], resolve }: AddressCheckOptions): AddressCheck {
  const isDenied = createDeniedAddresses(deniedTargets);
  const [plain, secure] = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })];
  const lookup = checkedLookup((address) => isDenied(address) || (!allowPrivateTargets && !isPublicAddress(address)), resolve);
  return {
    isRefused: (url) => isDenied(url.hostname) || (!allowPrivateTargets && isPrivateTarget(url.href)),
    agentOf: ({ protocol }) => (protocol === 'https:' ? secure : plain),
    lookup,
    checkedAgents: (maxSockets) => {
      const options = { keepAlive: true, maxSockets, lookup };
      return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
    },
  };
}
