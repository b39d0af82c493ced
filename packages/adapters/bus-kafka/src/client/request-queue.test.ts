import { RequestQueue } from './kafkajs-internals';
import './request-queue';

const queue = (maxInFlightRequests: number | null = null): RequestQueue => new RequestQueue({
  maxInFlightRequests, requestTimeout: 1_000, enforceRequestTimeout: false, clientId: 'c', broker: 'b:1',
  logger: { debug: () => undefined }, instrumentationEmitter: null,
});

/** Numbers of the requests that were sent. */
function sending(requests: RequestQueue): Record<'ask' | 'answer', (correlationId: number) => void> & { sent: number[] } {
  const sent: number[] = [];
  return {
    sent,
    ask: (correlationId) => requests.push({
      entry: { correlationId, resolve: () => undefined, reject: () => undefined },
      expectResponse: true, sendRequest: () => void sent.push(correlationId),
    }),
    answer: (correlationId) => requests.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 }),
  };
}

describe('requests of a connection', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('set no timer while none of them waits', () => {
    const { ask, answer, sent } = sending(queue());
    ask(1);
    answer(1);
    expect(sent).toEqual([1]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are sent after the answer that they wait for', () => {
    const { ask, answer, sent } = sending(queue(1));
    ask(1);
    ask(2);
    expect(sent).toEqual([1]);
    answer(1);
    expect(sent).toEqual([1, 2]);
  });

  it('are sent when the throttle of the broker ends', () => {
    const requests = queue();
    const { ask, sent } = sending(requests);
    requests.maybeThrottle(500);
    ask(1);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(600);
    expect(sent).toEqual([1]);
    requests.destroy();
  });
});
