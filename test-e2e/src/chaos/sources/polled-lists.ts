import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An element of a list. */
export interface Item {
  domain: string;
}

/** Lists that grow: each poll beyond the saved cursor brings two new elements, in two pages. */
export interface PolledLists {
  url: string;
  /** Polls that brought new elements, of all lists. */
  polls(): number;
  /** Elements that were handed out, once each. */
  handedOut(): string[];
  /** From now on no list grows. */
  freeze(): void;
  stop(): Promise<void>;
}

export const domainOf = (list: string, number: number): string => `${list}-${number}.polled.test`;

export async function startPolledLists(): Promise<PolledLists> {
  /** Elements that were handed out, by list. */
  const reached = new Map<string, number>();
  let [polls, frozen] = [0, false];
  const answer = (url: URL): object => {
    const list = url.pathname.slice(1);
    const [since, page] = [Number(url.searchParams.get('since')), Number(url.searchParams.get('page'))];
    const known = reached.get(list) ?? 0;
    const number = since + page;
    const isThere = page <= 2 && (number <= known || !frozen);
    if (isThere && number > known) {
      reached.set(list, number);
      if (page === 1) polls += 1;
    }
    const last = Math.min(since + Math.min(page, 2), reached.get(list) ?? 0);
    return { data: isThere ? [{ domain: domainOf(list, number) } satisfies Item] : [], last };
  };
  const server = createServer((request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer(new URL(request.url ?? '/', 'http://lists.test')))));
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    polls: () => polls,
    handedOut: () => [...reached].flatMap(([list, most]) => Array.from({ length: most },
      (_, index) => domainOf(list, index + 1))),
    freeze: () => { frozen = true; },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
