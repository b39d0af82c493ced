import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createHttpServer } from './http-server';

test('a stop answers requests under way, closes idle connections, and accepts no new ones', async () => {
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    server = createHttpServer({
      port: 0,
      host: '127.0.0.1',
      app: (_request, response) => {
        answer = () => response.end('done');
        resolve();
      },
    });
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

test('a stop does not wait for a connection on which nothing was sent', async () => {
  const silent = createHttpServer({ port: 0, host: '127.0.0.1', app: () => undefined });
  await silent.start();
  const socket = connect({ port: silent.port(), host: '127.0.0.1' });
  await once(socket, 'connect');
  await Promise.all([silent.stop(), once(socket, 'close')]);
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

test('on loopback it is reached only at loopback addresses', async () => {
  const others = Object.values(networkInterfaces()).flat().filter((one) => one && !one.internal && one.family === 'IPv4');
  const reach = (port: number, host: string): Promise<boolean> => new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.on('connect', () => { socket.destroy(); resolve(true); }).on('error', () => resolve(false));
  });
  for (const host of ['loopback', 'all']) {
    const server = createHttpServer({ port: 0, host, app: (_request, response) => void response.end() });
    await server.start();
    expect(await reach(server.port(), '127.0.0.1')).toBe(true);
    for (const one of others) expect([host, await reach(server.port(), one!.address)]).toEqual([host, host === 'all']);
    await server.stop();
  }
});
