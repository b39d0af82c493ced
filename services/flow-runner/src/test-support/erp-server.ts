import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ErpRequest {
  path: string;
  body: unknown;
  /** Its Idempotency-Key. */
  key: string | undefined;
}

/** A REST destination that notes what it is sent. */
export interface ErpServer {
  url: string;
  seen: ErpRequest[];
  /** The statuses that it answers with, by path, in their order; then 200. */
  answers: Record<string, number[]>;
  close(): void;
}

export async function startErp(): Promise<ErpServer> {
  const erp: ErpServer = { url: '', seen: [], answers: {}, close: () => undefined };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (data) => { text += data; });
    request.on('end', () => {
      const path = request.url!;
      erp.seen.push({ path, body: JSON.parse(text), key: request.headers['idempotency-key'] as string });
      response.writeHead(erp.answers[path]?.shift() ?? 200, { 'content-type': 'application/json' }).end('{"id":"x1"}');
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  erp.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  erp.close = () => void server.close();
  return erp;
}
