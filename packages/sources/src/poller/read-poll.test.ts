import type { PollerConfig } from './poller-config';
import { compilePoll } from './read-poll';

async function payloadsOf(itemsPath: string | undefined, body: unknown): Promise<unknown[]> {
  const config = { url: 'https://shop.example/items', ...(itemsPath !== undefined && { items_path: itemsPath }) } as PollerConfig;
  const get = async () => ({ body, headers: {} }) as never;
  const payloads: unknown[] = [];
  for await (const { events } of compilePoll(config, 'shop.polled')({ tick: new Date(0), cursor: null, get }))
    payloads.push(...events.map(({ payload }) => payload));
  return payloads;
}

const [one, two] = [{ id: 1 }, { id: 2 }];

test.each([
  ['a list', '$.data', { data: [one, two] }, [one, two]],
  ['its elements', '$.data[*]', { data: [one, two] }, [one, two]],
  ['elements of several lists', '$.orders[*].lines[*]', { orders: [{ lines: [one] }, { lines: [two] }] }, [one, two]],
  ['one object', '$.data', { data: one }, [one]],
  ['nothing', '$.data[*]', { data: [] }, []],
  ['one object where elements are named', '$.data[*]', { data: one }, [one]],
  ['a list without items_path', undefined, [one, two], [one, two]],
])('items_path that names %s: one event each', async (_, path, body, expected) => {
  expect(await payloadsOf(path, body)).toEqual(expected);
});
