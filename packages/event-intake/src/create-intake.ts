import type { ConnectorChange, EventEnvelope, Topic } from '@sluice/contracts';
import { type BlobStore, BlobStoreUnavailable, type EventBus } from '@sluice/ports';
import { eventTopic, type PartitionCounts } from './event-topic';
import type { BreakerOpen, IntakeRefusal } from './intake-refusal';
import { type IntakeRule, intakeStop } from './intake-rule';
import type { Quota } from './limits/quota';
import type { RateLimit } from './limits/rate-limit';
import { type IntakeEvent, type IntakeOrigin, planUnits, type PlannedUnit } from './plan-units';
import { encodeUnits, publishMessages } from './publish-units';

export interface IntakeDeps {
  bus: Pick<EventBus, 'publish'>;
  blobs: Pick<BlobStore, 'put'>;
  rateLimit: RateLimit;
  quota: Quota;
  partitions: PartitionCounts;
}

/** Events that are taken in together: all of them or, but for an unknown outcome, none. */
export interface IntakeBatch {
  connector: ConnectorChange;
  rule: IntakeRule;
  origin: IntakeOrigin;
  events: readonly IntakeEvent[];
  /** Headers of every message: the trace. */
  trace: Record<string, string>;
  /** What must be done once the records are counted and before they are published; when it throws, nothing is taken in. */
  before?(): Promise<void>;
  /** Every flow that the events reach is stopped: they are refused, after the quota was asked. */
  stopped?: BreakerOpen | null;
}

/**
 * The one way into the log, whatever brings events: a request, a webhook, a page of a poller, a row of a file, a replay. What
 * applies to each is its rule.
 */
export interface Intake {
  /**
   * Whether the connector takes anything in now, and counts one call where its rule counts calls. null: it does. Synchronous
   * where nothing is counted.
   */
  admit(connector: ConnectorChange, rule: IntakeRule): IntakeRefusal | null | Promise<IntakeRefusal | null>;
  /** Counts the records, stores large payloads, and publishes. null once every in-sync replica has all of it. */
  take(batch: IntakeBatch): Promise<IntakeRefusal | null>;
  /** Publishes units that were counted when they were accepted. */
  publish(
    topic: Topic<EventEnvelope>, units: readonly PlannedUnit[], trace: Record<string, string>,
  ): Promise<PublishRefusal | null>;
}

/** Why units are not, or perhaps not, in the log. */
export type PublishRefusal = Extract<IntakeRefusal, { why: 'blobs_unavailable' | 'unavailable' | 'unknown' }>;

export function createIntake(deps: IntakeDeps): Intake {
  const { bus, blobs, rateLimit, partitions } = deps;

  const publish: Intake['publish'] = async (topic, units, trace) => {
    try {
      const outcome = await publishMessages(bus, topic, await encodeUnits(topic, units, blobs, trace));
      if (outcome === 'accepted') return null;
      return { why: outcome === 'unknown' ? 'unknown' : 'unavailable' };
    } catch (error) {
      if (error instanceof BlobStoreUnavailable) return { why: 'blobs_unavailable' };
      throw error;
    }
  };

  return {
    publish,
    admit: (connector, rule) => {
      const reason = intakeStop(connector, rule);
      if (reason !== null) return { why: 'stopped', reason };
      return (rule.rate ? rateLimit(connector) : null) ?? null;
    },
    take: async ({ connector, rule, origin, events, trace, before, stopped }) => {
      const counting = countEvents(deps.quota, connector, rule, events);
      const taken = counting && (await counting);
      if (taken && 'why' in taken) return taken;
      if (stopped) {
        await taken?.refund();
        return stopped;
      }
      try {
        if (before) await before();
        const topic = eventTopic(origin.source.type);
        const count = partitions.of(topic.name);
        const within = typeof count === 'number' ? count : await count;
        const [only] = events;
        const units = events.length === 1 && only
          ? planUnits(only, origin, connector, within)
          : events.flatMap((event) => planUnits(event, origin, connector, within));
        const refusal = await publish(topic, units, trace);
        // What may be in the log stays counted.
        if (refusal !== null && refusal.why !== 'unknown') await taken?.refund();
        return refusal;
      } catch (error) {
        await taken?.refund();
        throw error;
      }
    },
  };
}

/** undefined: nothing is counted. */
function countEvents(
  quota: Quota, connector: ConnectorChange, rule: IntakeRule, events: readonly IntakeEvent[],
): ReturnType<Quota['take']> {
  if (rule.quota === 'free') return undefined;
  const records = events.reduce((sum, event) => sum + event.records.length, 0);
  return quota.take(connector, records, rule.quota === 'counted' ? 'always' : undefined);
}
