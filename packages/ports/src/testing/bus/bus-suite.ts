import type { EventBus, TopicSettings } from '../../event-bus';
import type { BusLab } from './bus-lab';

/** What the parts of the suite share: the lab, and topics of their own. */
export interface BusSuite {
  lab(): BusLab;
  /** A client that is closed after the test. */
  open(options?: { maxBufferBytes?: number }): Promise<EventBus>;
  /** Creates a topic. */
  topic(bus: EventBus, settings?: Partial<TopicSettings>): Promise<string>;
}
