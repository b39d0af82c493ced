/** Where a mail server is, and how it is spoken to. */
export interface SmtpTarget {
  host: string;
  port: number;
  /** TLS from the start. */
  secure: boolean;
  /** Nothing is said before STARTTLS. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | null;
  /** The server is on this machine: nobody is between. */
  local: boolean;
}

const defaultPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const local = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads `smtp://user:password@host:port` or `smtps://`. A password goes to another machine over TLS only.
 * @throws Error that names the rule, and nothing of the URL
 */
export function smtpTarget(url: string): SmtpTarget {
  const refuse = (rule: string): never => {
    throw new Error(`The URL of the mail server ${rule}`);
  };
  if (!URL.canParse(url)) refuse('is none.');
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url);
  const defaultPort = defaultPorts[protocol] ?? refuse('begins with smtp:// or smtps://.');
  if (hostname === '') refuse('names a host.');
  if ((pathname !== '' && pathname !== '/') || search !== '') refuse('ends with the port.');
  if ((username === '') !== (password === '')) refuse('has both a user and a password, or neither.');
  const [isLocal, secure] = [local.has(hostname), protocol === 'smtps:'];
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port), secure,
    requireTLS: !secure && auth !== null && !isLocal, auth, local: isLocal,
  };
}
