import { until } from '@sluice/ports/testing';
import { eachStreamingServer, silentUntil } from './test-support/streaming-server';

const server = eachStreamingServer();

describe('a stream of events', () => {
  /** Reads until the text has what is looked for. */
  async function readUntil(response: Response, wanted: string) {
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes(wanted)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    const rest = async (): Promise<string> => {
      for (let more = await reader.read(); !more.done; more = await reader.read())
        text += decoder.decode(more.value, { stream: true });
      return text;
    };
    return { text, cancel: () => reader.cancel(), rest };
  }

  it('sends each event as it comes, and ends with its source', async () => {
    let next: () => void = () => undefined;
    server().events = async function* () {
      yield { id: '1', event: 'step', data: 1 };
      await new Promise<void>((resolve) => { next = resolve; });
      yield { event: 'step', data: 2 };
    };
    const response = await fetch(server().url('/events'));
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200, 'text/event-stream; charset=utf-8', 'no-store',
    ]);
    const { text, rest } = await readUntil(response, '\n\n');
    expect(text).toBe('id: 1\nevent: step\ndata: 1\n\n');
    next();
    expect(await rest()).toBe('id: 1\nevent: step\ndata: 1\n\nevent: step\ndata: 2\n\n');
    expect(await server().lineOf()).toMatchObject({ route: 'watch_things', stream: 'complete', events_sent: 2 });
  });

  it('tells its source what the caller saw last', async () => {
    let seen: string | null | undefined;
    server().events = async function* ({ lastEventId }) { seen = lastEventId; };
    await (await fetch(server().url('/events'), { headers: { 'Last-Event-ID': '41' } })).text();
    expect(seen).toBe('41');
    await (await fetch(server().url('/events'))).text();
    expect(seen).toBeNull();
  });

  it('carries a comment while nothing happens', async () => {
    await server().stop();
    await server().start({ heartbeatMs: 50 });
    server().events = ({ signal }) => silentUntil(signal);
    const { text, cancel } = await readUntil(await fetch(server().url('/events')), ':\n\n:\n\n');
    expect(text.replaceAll(':\n\n', '')).toBe('');
    await cancel();
  });

  it('ends its source when the caller leaves', async () => {
    let ended = false;
    server().events = async function* ({ signal }) {
      yield { event: 'step', data: 1 };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
    };
    const { cancel } = await readUntil(await fetch(server().url('/events')), '\n\n');
    await cancel();
    await until('the source has ended', () => ended);
    expect(await server().lineOf()).toMatchObject({ stream: 'caller_left', events_sent: 1 });
  });

  it('is cut when its source fails, or sends what the contract does not name', async () => {
    server().events = async function* () {
      yield { event: 'step', data: 1 };
      throw new Error('broken');
    };
    await expect((await fetch(server().url('/events'))).text()).rejects.toThrow();
    server().lines = [];
    server().events = async function* () { yield { event: 'other', data: 1 }; };
    await expect(fetch(server().url('/events')).then((answer) => answer.text())).rejects.toThrow();
    expect(await server().lineOf('stream broke')).toMatchObject({ error: { message: expect.stringContaining('"other"') } });
  });
});
