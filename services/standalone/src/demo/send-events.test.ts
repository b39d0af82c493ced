import { ApiError } from '@sluice/api-client';
import type { DemoEvent } from './demo-events';
import { sendEvents, type SendOptions } from './send-events';

const event = (key: string, recordKey: string): DemoEvent => ({
  key,
  body: { event: 'order.placed', recordKey, timestamp: '', data: {} },
});

const refusal = (status: number) => new ApiError({ operation: 'accept_event', status, body: null, headers: new Headers() });

/** An API that notes its requests, and answers when the test lets it. */
function scriptedApi(answer: (key: string, call: number) => Promise<{ event_id: string }>) {
  const begun: string[] = [];
  const ended: string[] = [];
  const acceptEvent = async ({ headers }: { headers?: Record<string, string> }) => {
    const key = headers!['idempotency-key']!;
    begun.push(key);
    const result = await answer(key, begun.filter((one) => one === key).length);
    ended.push(key);
    return result;
  };
  return { begun, ended, api: { acceptEvent } as unknown as SendOptions['api'] };
}

it('never has two events of one record under way, and gives ids in the given order', async () => {
  const under = new Map<string, number>();
  const { api } = scriptedApi(async (key) => {
    const record = key.split('-')[0]!;
    under.set(record, (under.get(record) ?? 0) + 1);
    expect(under.get(record)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    under.set(record, 0);
    return { event_id: `evt_${key}` };
  });
  const events = Array.from({ length: 30 }, (_, index) => event(`${'ab'[index % 2]}-${index}`, 'ab'[index % 2]!));
  const onSent = jest.fn();
  const sent = await sendEvents({ api, events, onSent });
  expect(sent.map(({ id }) => id)).toEqual(events.map(({ key }) => `evt_${key}`));
  expect(onSent).toHaveBeenCalledTimes(30);
});

it('sends again with the same key after 429 or 503, and gives up on a refusal', async () => {
  const { api, begun } = scriptedApi(async (key, call) => {
    if (call === 1) throw refusal(429);
    return { event_id: key };
  });
  await sendEvents({ api, events: [event('a', 'a')], onSent: () => undefined });
  expect(begun).toEqual(['a', 'a']);
  const refusing = scriptedApi(() => Promise.reject(refusal(422)));
  await expect(sendEvents({ api: refusing.api, events: [event('b', 'b')], onSent: () => undefined })).rejects.toMatchObject({
    status: 422,
  });
  expect(refusing.begun).toEqual(['b']);
});
