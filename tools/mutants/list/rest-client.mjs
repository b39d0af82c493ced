/** Mutants of the client for addresses that users configure. */
const source = 'packages/rest-client/src';
const addresses = 'packages/public-address/src';
const unit = { project: 'unit', pattern: 'packages/public-address' };
const integration = { project: 'integration', pattern: 'packages/rest-client' };

export default [
  { name: 'rest: the IPv4 part of a mapped address is not checked', file: `${addresses}/public-address.ts`, find: 'ipaddr.process(bare)', replace: 'ipaddr.parse(bare)', notice: unit },
  { name: 'rest: the IPv4 part of a translated address is not checked', file: `${addresses}/public-address.ts`, find: 'isPublicAddress(address.toByteArray().slice(-4).join(\'.\'))', replace: 'true', notice: unit },
  { name: 'rest: 6to4 and Teredo pass', file: `${addresses}/public-address.ts`, find: " && address.range() === 'unicast';\n}", replace: ';\n}', notice: unit },
  { name: 'rest: only the first address of a name is checked', file: `${source}/checked-lookup.ts`, find: 'addresses.some(', replace: 'addresses.slice(0, 1).some(', notice: integration },
  { name: 'rest: names are not checked', file: `${source}/create-rest-client.ts`, find: 'connectTimeoutMs, lookup }', replace: 'connectTimeoutMs }', notice: integration },
  { name: 'rest: literal addresses are not checked', file: `${source}/address-check.ts`, find: '!allowPrivateTargets && isPrivateTarget(url.href)', replace: 'false', notice: integration },
  { name: 'rest: a denied address is called', file: `${source}/address-check.ts`, find: 'isDenied(url.hostname) || ', replace: '', notice: integration },
  { name: 'rest: metadata services are called', file: `${addresses}/denied-targets.ts`, find: '...metadataServices, ', replace: '', notice: unit },
  { name: 'rest: an answer has no bound', file: `${source}/create-rest-client.ts`, find: 'if (size > maxBytes)', replace: 'if (size < 0)', notice: integration },
];
