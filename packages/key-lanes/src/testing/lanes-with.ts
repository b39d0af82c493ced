import { createKeyLanes, type KeyLanes, type KeyLanesOptions, type LaneItem, type Work } from '../index';

/** Lanes that own partition 0 under epoch 1. */
export const lanesWith = (options: Partial<KeyLanesOptions> = {}): KeyLanes<string> => {
  const lanes = createKeyLanes<string>({ maxInFlight: 100, maxBuffered: 100, ...options });
  lanes.assign(0, 1n);
  return lanes;
};

/**
 * `a b a` are three items of the lanes a, b, a; the group is the first letter; `c+r` is a convoy item on record r, `c+` one
 * without.
 */
export function items(words: string, from = 0, partition = 0): LaneItem<string>[] {
  return words.split(' ').map((word, i) => {
    const [lane, record] = word.split('+') as [string, string | undefined];
    const touches = record ? { touches: { writes: [record], reads: [] } } : {};
    return {
      partition,
      offset: BigInt(from + i),
      lane,
      group: lane[0]!,
      value: word,
      ...(record === undefined ? {} : { convoy: true }),
      ...touches,
    };
  });
}

/** What was handed out, by offset. */
export const offsets = (works: readonly Work<string>[]) => works.map(({ item }) => Number(item.offset));
/** Everything that may start. */
export const all = (lanes: KeyLanes<string>) => lanes.take(1000);
