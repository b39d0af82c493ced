import { connect, type Socket } from 'node:net';

/** One answer: its status and, when there is one, its body. Status 0: the connection broke. */
export interface Answer {
  status: number;
  body: string;
}

/** One keep-alive connection with at most one request in flight; opened again when it broke. */
export interface HttpSender {
  /** `head`: request line and headers but for the length, each line ended. */
  send(head: string, body: string): Promise<Answer>;
  close(): void;
}

/** Speaks just enough HTTP/1.1 to cost little: bodies with a length, no redirects, ASCII only. */
export function createHttpSender(host: string, port: number): HttpSender {
  let socket: Socket | undefined;
  let waiting: ((answer: Answer) => void) | undefined;
  let buffered = '';

  const done = (answer: Answer): void => {
    const resolve = waiting;
    waiting = undefined;
    buffered = '';
    resolve?.(answer);
  };
  const broke = (made: Socket): void => {
    if (socket !== made) return;
    socket = undefined;
    done({ status: 0, body: '' });
  };
  const take = (chunk: string): void => {
    buffered = buffered === '' ? chunk : buffered + chunk;
    const end = buffered.indexOf('\r\n\r\n');
    if (end < 0) return;
    const at = /content-length: *(\d+)/i.exec(buffered);
    const length = at ? Number(at[1]) : 0;
    if (buffered.length < end + 4 + length) return;
    done({ status: Number(buffered.slice(9, 12)), body: buffered.slice(end + 4, end + 4 + length) });
  };
  const open = (): Socket => {
    const made = connect({ host, port, noDelay: true });
    made.setEncoding('latin1');
    made.on('data', take);
    made.on('error', () => broke(made));
    made.on('close', () => broke(made));
    return made;
  };
  return {
    send: (head, body) => new Promise((resolve) => {
      waiting = resolve;
      socket ??= open();
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`, 'latin1');
    }),
    close: () => socket?.destroy(),
  };
}
