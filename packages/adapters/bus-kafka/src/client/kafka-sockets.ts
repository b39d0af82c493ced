import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import type { KafkaBusOptions } from './kafka-bus-options';

/** The connections of one client, which are counted and can be cut. */
export interface KafkaSockets {
  factory: ISocketFactory;
  /** Produce requests written to a socket so far: without a new one, nothing of a failed send can be in the log. */
  produceRequests(): number;
  /** Closes every connection and makes no new one. */
  cut(): void;
}

const produceApi = 0;
const keepAliveMs = 30_000;

export function createKafkaSockets(options: KafkaBusOptions): KafkaSockets {
  const sockets = new Set<Socket>();
  let produced = 0;
  let cut = false;
  return {
    factory: ({ host, port, ssl, onConnect }) => {
      if (cut) throw new Error('The client was given up.');
      const socket = openSocket(options, { host, port, ssl, onConnect });
      socket.setKeepAlive(true, keepAliveMs);
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
      // kafkajs writes a request whole: four bytes of length, then the number of the API.
      socket.write = ((data: unknown, ...rest: unknown[]) => {
        if (Buffer.isBuffer(data) && data.length > 5 && data.readInt16BE(4) === produceApi) produced += 1;
        return write(data, ...rest);
      }) as Socket['write'];
      return socket;
    },
    produceRequests: () => produced,
    cut: () => {
      cut = true;
      // Destroyed with an error, so that kafkajs rejects the waiting requests at once instead of after its timeout.
      for (const socket of sockets) socket.destroy(new Error('The client was given up.'));
    },
  };
}

function openSocket(options: KafkaBusOptions, target: Parameters<ISocketFactory>[0]): Socket {
  const { host, port, onConnect } = target;
  if (options.connect) return options.connect({ host, port }).on('connect', onConnect);
  if (!options.ssl) return connectTcp({ host, port }, onConnect);
  const tls = typeof options.ssl === 'object' ? options.ssl : {};
  return connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...tls }, onConnect);
}
