import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import { hasPort, ofKind, own, podOf, rendered, selects } from './lib/objects.mjs';
import { entryOf } from './lib/service-list.mjs';

/** Ports of Postgres, Redis and Kafka. */
const storePorts = [5432, 6379, 9092, 9093, 9094, 9096];

/** Addresses that nothing outside may be: private ranges, this machine, and where clouds tell metadata and credentials. */
const inside = [
  '10.0.0.1', '10.255.255.254', '100.64.0.1', '100.127.255.254', '127.0.0.1', '127.255.255.254', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.254',
  '::1', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::1', 'febf::1',
];
/** Neighbours of these ranges that are anybody's. */
const outside = ['9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.1', '172.15.255.255', '172.32.0.1', '192.167.255.255', '192.169.0.1', '2606:4700::1', 'fec0::1'];

const family = (address) => (address.includes(':') ? 'ipv6' : 'ipv4');

function inRanges(ranges, address) {
  const list = new BlockList();
  // The list takes an IPv4 address for its IPv6 form too; a network policy does not.
  for (const range of ranges.filter((each) => family(each) === family(address))) list.addSubnet(range.split('/')[0], Number(range.split('/')[1]), family(range));
  return list.check(address, family(address));
}

/** Whether one of the peers of a rule is this address. Peers that are pods are no addresses. */
const reaches = (peers, address) => peers.some(({ ipBlock }) => ipBlock && inRanges([ipBlock.cidr], address) && !inRanges(ipBlock.except ?? [], address));

/** The namespaces that a rule lets in: every peer must name one by a label. */
function namespacesOf(rule, name) {
  assert.ok(rule.from?.length > 0, `${name} lets everybody in`);
  return rule.from.flatMap(({ namespaceSelector, ipBlock }) => {
    const labels = Object.keys(namespaceSelector?.matchLabels ?? {});
    assert.ok(labels.length > 0 && !ipBlock, `${name}: a peer without the label of a namespace`);
    return labels;
  });
}

for (const [path, objects] of rendered) {
  describe(`network policies of k8s/${path}`, () => {
    const policies = ofKind(objects, 'NetworkPolicy');
    const policiesOf = (deployment) => policies.filter(({ spec }) => selects(spec.podSelector, podOf(deployment).metadata.labels));

    it('deny traffic unless a policy allows it', () => {
      for (const deployment of own(objects)) {
        const mine = policiesOf(deployment);
        const closed = mine.find(({ spec }) => !spec.ingress && !spec.egress);
        assert.deepEqual(closed?.spec.policyTypes, ['Ingress', 'Egress'], `${deployment.metadata.name} is open`);
        const leavesTo = (port) => mine.some(({ spec }) => spec.egress?.some(({ ports }) => ports.some((each) => each.port === port)));
        for (const port of [53, ...storePorts]) assert.ok(leavesTo(port), `${deployment.metadata.name} ${port}`);
        assert.equal(leavesTo(443), entryOf(deployment.metadata.name).callsOut, `${deployment.metadata.name} 443`);
        for (const { spec } of mine) for (const { ports } of spec.ingress ?? []) for (const { port } of ports) assert.ok(hasPort(deployment, port));
      }
      for (const { metadata, spec } of policies) assert.ok(ofKind(objects, 'Deployment').some((each) => selects(spec.podSelector, podOf(each).metadata.labels)), `${metadata.name} selects nothing`);
    });

    it('name the ports of every rule, and where it leads unless it leads to a store', () => {
      for (const { metadata, spec } of policies) {
        for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) assert.ok(rule.ports?.length > 0 && rule.ports.every(({ port }) => port !== undefined), `${metadata.name}: any port`);
        for (const { to, ports } of spec.egress ?? []) assert.ok(to?.length > 0 || ports.every(({ port }) => storePorts.includes(port)), `${metadata.name}: anywhere`);
      }
    });

    it('let outbound calls reach the internet, and nothing inside', () => {
      const rules = policies.flatMap(({ spec }) => spec.egress ?? []).filter(({ to }) => to?.some(({ ipBlock }) => ipBlock));
      assert.equal(rules.length, 1);
      assert.deepEqual(inside.filter((address) => rules.some(({ to }) => reaches(to, address))), []);
      assert.deepEqual(outside.filter((address) => !rules.some(({ to }) => reaches(to, address))), []);
    });

    it('let in the ingress controller and Prometheus, and nobody else', () => {
      const admitted = (deployment) => policiesOf(deployment).flatMap(({ metadata, spec }) => (spec.ingress ?? []).flatMap((rule) => rule.ports.flatMap(({ port }) => namespacesOf(rule, metadata.name).map((label) => `${label} ${port}`)))).sort();
      const metrics = 'sluice/monitoring metrics';
      for (const deployment of own(objects)) {
        const isPublic = entryOf(deployment.metadata.name).publicPaths.length > 0;
        assert.deepEqual(admitted(deployment), isPublic ? ['sluice/ingress http', metrics] : [metrics], deployment.metadata.name);
      }
    });
  });
}

describe('the list of services', () => {
  it('lets what faces senders call nobody', () => assert.equal(entryOf('ingest-api').callsOut, false));
});
