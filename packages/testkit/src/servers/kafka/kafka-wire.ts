import { connect } from 'node:net';

const metadata = 3;
const findCoordinator = 10;

/**
 * Whether a broker serves requests, knows so many brokers (itself included), and its group coordinator is ready: asked on the
 * wire, with the two smallest requests of the Kafka protocol, so that the test kit needs no client library.
 * @throws when it is not ready yet
 */
export async function assertKafkaReady(port: number, brokers = 1): Promise<true> {
  const cluster = await ask(port, metadata, 1, int32(0));
  const known = cluster.readInt32BE(0);
  if (known < brokers) throw new Error(`The broker knows ${known} brokers of ${brokers}`);
  const coordinator = await ask(port, findCoordinator, 0, text('ready'));
  const error = coordinator.readInt16BE(0);
  if (error !== 0) throw new Error(`The group coordinator is not ready (error ${error})`);
  return true;
}

/** Sends one request and returns the answer's body, without length and correlation id. */
function ask(port: number, api: number, version: number, body: Buffer): Promise<Buffer> {
  const request = Buffer.concat([int16(api), int16(version), int32(1), int16(-1), body]);
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([int32(request.length), request])));
    socket.setTimeout(2_000, () => socket.destroy(new Error('Kafka does not answer')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('Kafka closed the connection')));
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length < 4 || answer.length < 4 + answer.readInt32BE(0)) return;
      resolve(answer.subarray(8));
      socket.destroy();
    });
  });
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
}
