import { type BrokerAddress, nameOf } from './broker-address';
import type { BrokerLink, ClusterAnswer, openBrokerLink } from './broker-link';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { withinTime } from '../client/within-time';

const answerTimeoutMs = 3_000;

/**
 * The connections on which the metadata of the cluster is read.
 *
 * Invariant: there is at most one for each address, made when it is first asked. One that did not answer in time is cut.
 */
export class MetadataLinks {
  private readonly links = new Map<string, BrokerLink>();
  private closed = false;

  constructor(private readonly options: KafkaBusOptions, private readonly open: typeof openBrokerLink) {}

  /** @throws when the broker does not answer in time */
  async ask(address: BrokerAddress, topics: readonly string[]): Promise<ClusterAnswer> {
    if (this.closed) throw new Error('The bus is closed.');
    const name = nameOf(address);
    const link = this.links.get(name) ?? this.open(this.options, address, answerTimeoutMs);
    this.links.set(name, link);
    try {
      return await withinTime(answerTimeoutMs, link.metadata(topics));
    } catch (error) {
      this.cut(name, link);
      throw error;
    }
  }

  /** Cuts the connections to all other addresses. */
  keepOnly(addresses: readonly BrokerAddress[]): void {
    const kept = new Set(addresses.map(nameOf));
    for (const [name, link] of this.links) if (!kept.has(name)) this.cut(name, link);
  }

  close(): void {
    this.closed = true;
    for (const [name, link] of this.links) this.cut(name, link);
  }

  private cut(name: string, link: BrokerLink): void {
    link.cut();
    if (this.links.get(name) === link) this.links.delete(name);
  }
}
