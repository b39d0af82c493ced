import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { cutProxy, type CutProxy } from './cut-proxy';
import { eventually } from './eventually';

describe('cutProxy', () => {
  let echo: Server;
  let proxy: CutProxy;
  let received: string;

  beforeEach(async () => {
    received = '';
    echo = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received += data.toString();
        socket.write(data);
      });
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    proxy = await cutProxy((echo.address() as AddressInfo).port);
  });

  afterEach(async () => {
    await proxy.stop();
    echo.close();
  });

  it('passes bytes in both directions', async () => {
    const client = await aClient(proxy.port);
    client.socket.write('hello');
    await eventually(() => client.got() === 'hello');
  });

  it('drops answers while requests still arrive, until healed', async () => {
    const client = await aClient(proxy.port);
    proxy.blackhole('toClient');
    client.socket.write('lost');
    await eventually(() => received === 'lost');
    proxy.heal();
    client.socket.write('kept');
    await eventually(() => client.got() === 'kept');
  });

  it('tears connections down and refuses new ones until healed', async () => {
    const client = await aClient(proxy.port);
    await eventually(() => proxy.connections() === 1);
    proxy.cut();
    await eventually(() => client.closed());
    const refused = await aClient(proxy.port);
    await eventually(() => refused.closed());
    proxy.heal();
    const again = await aClient(proxy.port);
    again.socket.write('back');
    await eventually(() => again.got() === 'back');
  });

  it('asks the filter about every piece', async () => {
    const client = await aClient(proxy.port);
    proxy.filter((direction, data) => (direction === 'toServer' && data.includes('poison') ? 'reset' : 'pass'));
    client.socket.write('fine');
    await eventually(() => client.got() === 'fine');
    client.socket.write('poison');
    await eventually(() => client.closed());
    expect(received).toBe('fine');
  });
});

async function aClient(port: number): Promise<{ socket: Socket; got(): string; closed(): boolean }> {
  let got = '';
  let closed = false;
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => (got += data.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return { socket, got: () => got, closed: () => closed };
}
