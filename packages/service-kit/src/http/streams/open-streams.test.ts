import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@sluice/ports/testing';
import { digest, file } from './test-support/streaming-routes';
import { eachStreamingServer, silentUntil } from './test-support/streaming-server';

const server = eachStreamingServer();

describe('a server that stops', () => {
  it('ends streams of events at once, and the rest after the drain time', async () => {
    await server().stop();
    await server().start({ drainMs: 300 });
    server().events = ({ signal }) => silentUntil(signal);
    const watching = fetch(server().url('/events')).then((answer) => answer.text());
    server().openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      await new Promise(() => undefined);
    })());
    const downloading = fetch(server().url('/files/a')).then((answer) => answer.arrayBuffer());
    downloading.catch(() => undefined);
    const { sent } = server().raw('/uploads', 'PUT', { 'content-type': 'application/zip' });
    sent.on('error', () => undefined).write('x');
    const three = 'http_open_streams{service="server"} 3';
    await until('all three are under way', async () => (await server().metrics.render()).includes(three));
    const stopping = server().stop();
    expect(await watching).toBe('');
    await expect(downloading).rejects.toThrow();
    await stopping;
    expect(server().lines.filter(({ message }) => message === 'request').map(({ route, stream }) => [route, stream])).toEqual(
      expect.arrayContaining([['watch_things', 'server_stopping'], ['download_thing', 'caller_left']]),
    );
  });

  it('lets a download under way end within the drain time', async () => {
    let finish: () => void = () => undefined;
    const mayFinish = new Promise<void>((resolve) => { finish = resolve; });
    server().openFile = async () => Readable.from((async function* () {
      yield file.subarray(0, 1_000);
      await mayFinish;
      yield file.subarray(1_000);
    })());
    const answer = await fetch(server().url('/files/a'));
    const stopping = server().stop();
    await sleep(50);
    finish();
    expect(digest(Buffer.from(await answer.arrayBuffer()))).toBe(digest(file));
    await stopping;
  });
});

it('one caller has a quarter of the streams at most, and there is a bound on all', async () => {
  await server().stop();
  await server().start({ max: 8 });
  server().events = ({ signal }) => silentUntil(signal);
  const first = await Promise.all([fetch(server().url('/events')), fetch(server().url('/events'))]);
  const refused = await fetch(server().url('/events'));
  expect([refused.status, await refused.json(), refused.headers.get('retry-after')]).toEqual([
    503, { detail: { error: 'too_many_streams' } }, '5',
  ]);
  await first[0]!.body!.cancel();
  await until('there is room again', async () => {
    const answer = await fetch(server().url('/events'));
    await answer.body!.cancel();
    return answer.status === 200;
  });
  await first[1]!.body!.cancel();
});
