import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it passed. */
export interface PassedCall {
  path: string;
  authorization: string;
  body: string;
}

/** A proxy in front of a server that keeps who called with which credential. */
export interface RecordingProxy {
  url: string;
  passed: PassedCall[];
  /** Where the calls go; none is accepted before. */
  to(url: string): void;
  stop(): Promise<void>;
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const passed: PassedCall[] = [];
  let target: string | undefined;
  const pass = (incoming: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    passed.push({ path, authorization: headers.authorization ?? '', body: body.toString('utf8') });
    const { host: _, connection: __, ...others } = headers;
    const outgoing = request(new URL(path, target), { method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    outgoing.end(body);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => pass(incoming, response, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    to: (url) => { target = url; },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
