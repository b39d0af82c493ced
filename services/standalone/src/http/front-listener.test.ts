import { Readable } from 'node:stream';
import { defineRoute } from '@sluice/contracts';
import { silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { createHttpApp, createHttpServer, type HttpServer, implementRoute } from '@sluice/service-kit';
import { frontListener } from './front-listener';

const about = { tag: 'T', summary: 'S', auth: 'none', errors: [] } as const;
const watch = defineRoute({
  ...about, name: 'watch', method: 'get', path: '/api/watch',
  answers: {
    200: { description: 'E', stream: 'events', events: { step: { description: 'A step.', schema: { type: 'integer' } } } },
  },
});
const upload = defineRoute({
  ...about, name: 'upload', method: 'put', path: '/api/webhooks/upload', audit: null,
  upload: { description: 'Bytes.', maxBytes: 1_000_000, contentTypes: ['application/zip'] },
  answers: { 200: { description: 'A', schema: { type: 'object' } } },
});

/** The public address with one route of each service behind it. */
async function start(): Promise<{ server: HttpServer; url(path: string): string; arrived(): number }> {
  let arrived = 0;
  const app = (route: ReturnType<typeof implementRoute>) => createHttpApp({ routes: [route], logger: silentLogger });
  const config = app(implementRoute(watch, {
    handler: ({ signal }) => ({
      status: 200,
      events: (async function* () {
        yield { event: 'step', data: 1 };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      })(),
    }),
  }));
  const ingest = app(implementRoute(upload, {
    handler: async ({ upload: { bytes } }) => {
      for await (const chunk of bytes) arrived += (chunk as Buffer).length;
      return { status: 200, body: { bytes: arrived } };
    },
  }));
  const front = frontListener(new Map([['config-api', config], ['ingest-api', ingest]]));
  const server = createHttpServer({ port: 0, host: 'loopback', app: front });
  await server.start();
  return { server, url: (path) => `http://127.0.0.1:${server.port()}${path}`, arrived: () => arrived };
}

test('events and uploads pass through while they go on, and a stop ends the streams behind it', async () => {
  const { server, url, arrived } = await start();
  const watching = await fetch(url('/api/watch'));
  const reader = watching.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('event: step\ndata: 1\n\n');

  let finish: () => void = () => undefined;
  const mayFinish = new Promise<void>((resolve) => { finish = resolve; });
  const body = Readable.toWeb(Readable.from((async function* () {
    yield Buffer.alloc(1_000);
    await mayFinish;
    yield Buffer.alloc(500);
  })())) as ReadableStream;
  const sent = fetch(url('/api/webhooks/upload'), {
    method: 'PUT', body, headers: { 'content-type': 'application/zip' }, duplex: 'half',
  } as RequestInit);
  await until('the first bytes have arrived', () => arrived() === 1_000);
  finish();
  expect(await (await sent).json()).toEqual({ bytes: 1_500 });

  const stopping = server.stop();
  expect(await reader.read()).toMatchObject({ done: true });
  await stopping;
});
