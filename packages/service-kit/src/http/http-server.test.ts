import { Agent, get, type IncomingMessage } from 'node:http';
import { createHttpServer } from './http-server';

test('a stop answers what is under way, closes kept connections, and takes nothing new', async () => {
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    server = createHttpServer({ port: 0, host: '127.0.0.1', app: (_request, response) => { answer = () => response.end('done'); resolve(); } });
  });
  await server.start();
  const port = server.port();
  const agent = new Agent({ keepAlive: true });
  const text = fetchText(port, agent);
  await arrived;
  const stopping = server.stop();
  await expect(fetchText(port, new Agent())).rejects.toThrow('ECONNREFUSED');
  answer();
  expect(await text).toBe('done');
  await stopping;
  agent.destroy();
});

test('a port in use fails the start', async () => {
  const first = createHttpServer({ port: 0, host: '127.0.0.1', app: () => undefined });
  await first.start();
  const second = createHttpServer({ port: first.port(), host: '127.0.0.1', app: () => undefined });
  await expect(second.start()).rejects.toThrow('EADDRINUSE');
  await second.stop();
  await first.stop();
});

let server: ReturnType<typeof createHttpServer>;

function fetchText(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
    }).on('error', reject);
  });
}
