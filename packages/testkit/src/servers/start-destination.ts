import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the destination got it. */
export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  /** Parsed where it is JSON, else the text; null: none. */
  body: unknown;
}

/** What it answers: `hang` never, `cut` by ending the connection after the request was read. */
export type DestinationAnswer =
  'hang' | 'cut' | { status: number; body?: unknown; headers?: Readonly<Record<string, string | string[]>>; afterMs?: number };

/** A REST API on 127.0.0.1 that keeps what it gets, for tests. */
export interface TestDestination {
  url: string;
  received: ReceivedRequest[];
  /** The next answers, in their order; then 200 without a body. */
  answerNext(...answers: DestinationAnswer[]): void;
  /** Decides by the request where no next answer is left; undefined: 200 without a body. */
  answerBy(decide: (request: ReceivedRequest) => DestinationAnswer | undefined): void;
  /** Most requests that were under way at once. */
  highestConcurrency(): number;
  stop(): Promise<void>;
}

export async function startDestination(): Promise<TestDestination> {
  const received: ReceivedRequest[] = [];
  const next: DestinationAnswer[] = [];
  let decide: (request: ReceivedRequest) => DestinationAnswer | undefined = () => undefined;
  let [underWay, highest] = [0, 0];
  const server = createServer((incoming, response) => {
    underWay += 1;
    highest = Math.max(highest, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: parsed(chunks),
      };
      received.push(request);
      answer(response, next.shift() ?? decide(request) ?? { status: 200 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerNext: (...answers) => void next.push(...answers),
    answerBy: (by) => {
      decide = by;
    },
    highestConcurrency: () => highest,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(chunks: readonly Buffer[]): unknown {
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Forms and plain texts are kept as they came.
    return text;
  }
}

function answer(response: ServerResponse, how: DestinationAnswer): void {
  if (how === 'hang') return;
  if (how === 'cut') return void response.destroy();
  const { status, body, headers = {}, afterMs = 0 } = how;
  const isText = typeof body === 'string';
  const send = (): void => {
    response.writeHead(status, { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers });
    response.end(isText ? body : body === undefined ? undefined : JSON.stringify(body));
  };
  if (afterMs === 0) send();
  else setTimeout(send, afterMs);
}
