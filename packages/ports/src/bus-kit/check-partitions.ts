import type { TopicSettings } from '../event-bus';

/**
 * An existing topic must have at least the partitions that are configured. A topic with more is used unchanged: readers and
 * writers use the count of the log.
 * @param existing partitions that the topic has
 * @throws with what to do, when there are fewer
 */
export function checkPartitions({ name, partitions }: TopicSettings, existing: number): void {
  if (existing >= partitions) return;
  throw new Error(
    `Topic ${name} has ${existing} partitions and ${partitions} are configured. Add the missing partitions while no service runs and all of its messages are processed, `
    + 'because a record may belong to another partition afterwards; or delete the topic when its messages are not needed, then it is created anew.',
  );
}
