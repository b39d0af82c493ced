import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived. */
export interface ArrivedMail {
  messageId: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  date: Date;
  headers: Record<string, string>;
  /** Whether it came over TLS, and who had signed in. */
  secure: boolean;
  user: string | null;
}

/** What the server does with mails for an address. `silent`: it never answers the end of the mail. */
export type MailAnswer = 'take' | 'later' | 'refuse' | 'silent';

export interface MailServerOptions {
  /** TLS from the start. */
  secure?: boolean;
  /** STARTTLS is offered. */
  startTls?: boolean;
  /** For TLS. Default: one that nobody trusts. */
  certificate?: { key: string; cert: string };
  /** Whom it lets in; without it, everybody. */
  user?: { name: string; password: string };
  port?: number;
}

/** A real SMTP server in this process. */
export interface TestMailServer {
  port: number;
  /** `smtp://127.0.0.1:<port>`. */
  url: string;
  arrived: readonly ArrivedMail[];
  /** Connections that are open. */
  connections(): number;
  /** For mails to an address; null: for all others. */
  answer(to: string | null, how: MailAnswer): void;
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const arrived: ArrivedMail[] = [];
  const answers = new Map<string | null, MailAnswer>();
  const answerTo = (to: string): MailAnswer => answers.get(to) ?? answers.get(null) ?? 'take';
  let port = options.port ?? 0;
  let server: SMTPServer;
  const start = async (): Promise<void> => {
    server = new SMTPServer({ ...shape(options), ...handlers(arrived, answerTo) });
    server.on('error', () => undefined);
    const listener = server.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    ({ port } = listener.address() as AddressInfo);
  };
  await start();
  return {
    port, url: `smtp${options.secure ? 's' : ''}://127.0.0.1:${port}`, arrived,
    connections: () => server.connections.size,
    answer: (to, how) => void answers.set(to, how),
    start,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of server.connections) connection.close();
    }),
  };
}

function shape({ certificate, secure = false, startTls = false, user }: MailServerOptions): SMTPServerOptions {
  return {
    ...certificate, secure, logger: false, hideSTARTTLS: !startTls, closeTimeout: 100,
    authOptional: user === undefined, allowInsecureAuth: true,
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    onAuth: ({ username, password }, _session, callback) => {
      if (username === user?.name && password === user?.password) callback(null, { user: username });
      else callback(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }));
    },
  };
}

function handlers(arrived: ArrivedMail[], answerTo: (to: string) => MailAnswer): SMTPServerOptions {
  return {
    onRcptTo: ({ address }, _session, callback) => {
      const codes = { take: null, silent: null, later: 451, refuse: 550 } as const;
      const responseCode = codes[answerTo(address)];
      callback(responseCode === null ? null : Object.assign(new Error(`${address} is not taken`), { responseCode }));
    },
    onData: (stream, { envelope, secure, user }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join(',');
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          arrived.push({
            messageId: mail.messageId ?? '', to, from: mail.from?.address ?? '', subject: mail.subject ?? '',
            text: mail.text ?? '', html: (mail.html ?? '').trim(), date: new Date(mail.date ?? 0), secure, user: user ?? null,
            headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
          });
          if (answerTo(to) !== 'silent') callback();
        });
      });
    },
  };
}
