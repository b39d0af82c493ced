import { oldestUnread } from './oldest-unread';

const now = 1_790_000_000_000;

/** A log whose partitions hold messages of these ages in seconds, oldest first. */
function logOf(...ages: number[][]) {
  let asked = 0;
  const offsetsAt = async (time: number): Promise<Map<number, bigint>> => {
    asked += 1;
    return new Map(ages.map((partition, index) => {
      const at = partition.findIndex((age) => now - age * 1_000 >= time);
      return [index, BigInt(at === -1 ? partition.length : at)];
    }));
  };
  return { offsetsAt, asked: () => asked };
}

test('without unread messages there is no answer and no request', async () => {
  const log = logOf([5]);
  expect(await oldestUnread([], log.offsetsAt, now)).toBeNull();
  expect(log.asked()).toBe(0);
});

test.each([3, 10, 61, 3_600, 90_000, 1_209_600])(
  'the age of a message of %i s is found to an eighth, in few requests',
  async (age) => {
    const log = logOf([age + 500, age, 1], [2]);
    const found = await oldestUnread(
      [
        { partition: 0, committed: 1n },
        { partition: 1, committed: 0n },
      ],
      log.offsetsAt,
      now,
    );
    const seconds = (now - found!) / 1_000;
    expect(seconds).toBeLessThanOrEqual(age);
    expect(seconds).toBeGreaterThanOrEqual(age * 0.875 - 1);
    expect(log.asked()).toBeLessThan(27);
  },
);

test('a new message is not older than now, and read messages do not count', async () => {
  const log = logOf([7_200, 0.1]);
  expect(await oldestUnread([{ partition: 0, committed: 1n }], log.offsetsAt, now)).toBe(now);
});
