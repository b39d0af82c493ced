import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';
import { hasPort, ofKind, own, podOf, rendered, selects } from './lib/objects.mjs';
import { entryOf } from './lib/service-list.mjs';

const folder = join(root, 'packages', 'public-address');
const load = createRequire(join(folder, 'package.json'));
const ipaddr = load('ipaddr.js');
const { isPublicAddress } = load(join(folder, 'dist', 'index.js'));

/** Ports of Postgres, Redis and Kafka. */
const storePorts = [5432, 6379, 9092, 9093, 9094, 9096];

/** Addresses around the edges of every range that is special, and where clouds tell metadata: inside and outside alike. */
const edges = [
  ...Object.values(new ipaddr.IPv4([1, 1, 1, 1]).SpecialRanges), ...Object.values(ipaddr.parse('::1').SpecialRanges).map((ranges) => (Array.isArray(ranges[0]) ? ranges : [ranges])),
].flat().flatMap(([network, bits]) => edgesOf(network.toByteArray(), bits)).concat('168.63.129.15', '168.63.129.16', '168.63.129.17', '169.254.169.254', 'fd00:ec2::254', '9.9.9.9', '2606:4700::1');

/** The first and last address of a network, and their neighbours. */
function edgesOf(bytes, bits) {
  const size = BigInt(bytes.length * 8);
  const first = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = first + (1n << (size - BigInt(bits))) - 1n;
  return [first - 1n, first, last, last + 1n].filter((at) => at >= 0n && at < 1n << size).map((at) => ipaddr.fromByteArray(bytes.map((_, index) => Number((at >> (size - 8n * BigInt(index + 1))) & 255n))).toString());
}

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

    it('let outbound calls reach what the services may call, and nothing else', () => {
      const rules = policies.flatMap(({ spec }) => spec.egress ?? []).filter(({ to }) => to?.some(({ ipBlock }) => ipBlock));
      assert.equal(rules.length, 1);
      // Addresses that a translator turns into IPv4 are left to the code, which looks at what they reach.
      const differs = edges.filter((address) => reaches(rules[0].to, address) !== isPublicAddress(address) && !ipaddr.parse(address).match(ipaddr.parseCIDR('64:ff9b::/96')));
      assert.deepEqual(differs, []);
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
