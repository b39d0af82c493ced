import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import request from 'supertest';

const [clientId, clientSecret] = ['sluice', 'secret of the tests'];
/** More pages and redirects than a sign-in with consent has. */
const longestWay = 12;

/** The published `oidc-provider` with one client, on this machine. */
export interface RealOidcProvider {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Why token requests were refused, in the provider's words, oldest first. They arrive after the answer to the request. */
  refusals: readonly string[];
  /**
   * Goes through the provider's pages with a browser of its own, and agrees.
   * @param login an address, `unproven:<address>` for one that the provider has not verified, null to cancel
   * @returns the query with which the browser comes back
   */
  signIn(authorizationUrl: string, login: string | null): Promise<string>;
  stop(): Promise<void>;
}

type Message = { url: string } | { refused: string };

/** @throws Error with what the provider has printed, when it does not start */
export async function startOidcProvider(redirectUri: string): Promise<RealOidcProvider> {
  const plan = JSON.stringify({ clientId, clientSecret, redirectUri });
  const child = fork(join(__dirname, 'oidc-provider-process.mjs'), [plan], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const refusals: string[] = [];
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = await listening(child, refusals);
  return {
    url, clientId, clientSecret, refusals,
    signIn: (authorizationUrl, login) => walk(url, authorizationUrl, login),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

function listening(child: ChildProcess, refusals: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr!.on('data', (chunk: Buffer) => { printed += chunk.toString(); });
    child.on('message', (message: Message) => {
      if ('url' in message) resolve(message.url);
      else refusals.push(message.refused);
    });
    child.once('close', () => reject(new Error(`oidc-provider has ended:\n${printed}`)));
  });
}

/** From the authorization request to the redirect to the client. */
async function walk(issuer: string, authorizationUrl: string, login: string | null): Promise<string> {
  const browser = request.agent(issuer);
  let next = new URL(authorizationUrl);
  for (let step = 0; step < longestWay; step += 1) {
    if (next.origin !== issuer) return next.search.slice(1);
    const page = await browser.get(next.pathname + next.search);
    const answer = page.status === 200 ? await answerPage(browser, next.pathname, { page: page.text, login }) : page;
    const location = answer.headers['location'] as string | undefined;
    if (location === undefined) throw new Error(`${next.pathname} answers ${answer.status}: ${answer.text}`);
    next = new URL(location, issuer);
  }
  throw new Error(`the sign-in is not finished after ${longestWay} pages`);
}

type Browser = ReturnType<typeof request.agent>;

/** Fills in the form of a page (sign-in or consent), or cancels. */
function answerPage(browser: Browser, path: string, { page, login }: { page: string; login: string | null }) {
  if (login === null) return browser.get(`${path}/abort`);
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  return browser.post(path).type('form').send({ prompt, login, password: 'any' });
}
