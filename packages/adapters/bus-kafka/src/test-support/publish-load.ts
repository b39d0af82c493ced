import type { EventBus, PublishResult } from '@sluice/ports';

/** Publishers that send one message after the other, and what they were answered, by value. */
export interface PublishLoad {
  readonly results: ReadonlyMap<string, PublishResult>;
  /** Acknowledged so far, per partition. */
  acknowledged(partition: number): number;
  /** Resolves when the last answer is there. */
  stop(): Promise<void>;
}

export const text = (value: string): { key: string; value: Buffer } => ({ key: value, value: Buffer.from(value) });

/** @param each publishers per partition */
export function publishLoad(bus: EventBus, topic: string, partitions: readonly number[], each: number): PublishLoad {
  const results = new Map<string, PublishResult>();
  const acknowledged = partitions.map(() => 0);
  let running = true;
  let count = 0;
  const publisher = async (partition: number): Promise<void> => {
    while (running) {
      const value = `${partition}:${(count += 1)}`;
      const result = await bus.publish(topic, partition, [text(value)]);
      results.set(value, result);
      if (result.ok) acknowledged[partition]! += 1;
    }
  };
  const publishers = partitions.flatMap((partition) => Array.from({ length: each }, () => publisher(partition)));
  return {
    results,
    acknowledged: (partition) => acknowledged[partition] ?? 0,
    stop: async () => {
      running = false;
      await Promise.all(publishers);
    },
  };
}

/**
 * Compares answers with the log: what was acknowledged is there, what was refused is not. Returns how many answers of each kind
 * there were.
 */
export function compareWithLog(
  results: ReadonlyMap<string, PublishResult>,
  log: ReadonlySet<string>,
): { ok: number; unknown: number; refused: number; wrong: string[] } {
  const counts = { ok: 0, unknown: 0, refused: 0, wrong: [] as string[] };
  for (const [value, result] of results) {
    const outcome = result.ok ? 'ok' : result.outcome;
    counts[outcome] += 1;
    if (outcome === 'ok' && !log.has(value)) counts.wrong.push(`${value} was acknowledged and is not in the log`);
    if (outcome === 'refused' && log.has(value)) counts.wrong.push(`${value} was refused and is in the log`);
  }
  return counts;
}
