import {
  acceptedSourceType, eventTopic, type Intake, intakeRules, type IntakeRefusal, type PartitionCounts, planReplay, type Replay,
} from '@sluice/event-intake';
import type { ConnectorChange } from '@sluice/contracts';
import type { BlobStore, ReplaySource } from '@sluice/ports';

export interface PublishReplaysDeps {
  intake: Pick<Intake, 'admit' | 'publish'>;
  partitions: PartitionCounts;
  blobs: Pick<BlobStore, 'renew'>;
}

export interface PublishedReplays {
  /** Ids of rows whose stored payload is gone; they were left out. */
  gone: string[];
  /** Why the others are not, or perhaps not, in the log; null: they are. */
  refusal: IntakeRefusal | null;
}

/**
 * Publishes accepted events as units of a new run. A stored payload is kept for as long as the replay may wait: by the age of its
 * event it may be about to be deleted. @throws BlobStoreUnavailable
 */
export async function publishReplays(
  { intake, partitions, blobs }: PublishReplaysDeps,
  connector: ConnectorChange, sources: readonly ReplaySource[], replay: Replay,
): Promise<PublishedReplays> {
  const gone: string[] = [];
  const byTopic = new Map<ReturnType<typeof eventTopic>, ReturnType<typeof planReplay>[]>();
  for (const source of sources) {
    const topic = eventTopic(acceptedSourceType(source.accepted));
    const unit = planReplay(source, connector, replay, await partitions.of(topic.name));
    const { payload_ref: stored } = unit.envelope;
    if (stored && !(await blobs.renew(stored.key))) gone.push(source.row.id);
    else byTopic.set(topic, [...(byTopic.get(topic) ?? []), unit]);
  }
  let refusal: IntakeRefusal | null = await intake.admit(connector, intakeRules.replay);
  for (const [topic, units] of byTopic) refusal ??= await intake.publish(topic, units, {});
  return { gone, refusal };
}
