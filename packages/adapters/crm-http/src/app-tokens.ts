import type { CallOptions, CrmResult } from '@sluice/ports';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import type { WireCall } from './wire-call';

interface Token {
  value: string;
  /** Milliseconds of `performance.now()`. */
  goodUntil: number;
}

const scopes = [
  'developer.webhooks_journal.read', 'developer.webhooks_journal.subscriptions.read',
  'developer.webhooks_journal.subscriptions.write',
].join(' ');
/** A token is replaced this long before it expires. */
const reserveMs = 60_000;

/** Tokens of the app itself (client credentials), which only the journal takes. Concurrent callers share one fetch. */
export class AppTokens {
  private token: Token | null = null;
  private fetching: Promise<CrmResult<string>> | null = null;

  constructor(
    private readonly call: WireCall,
    private readonly app: { clientId: string; clientSecret: string },
  ) {}

  get(options: CallOptions): Promise<CrmResult<string>> {
    if (this.token && performance.now() < this.token.goodUntil)
      return Promise.resolve({ ok: true, value: this.token.value, status: 200 });
    return (this.fetching ??= this.fetch(options).finally(() => { this.fetching = null; }));
  }

  /** A new token in place of one that was refused, unless it was replaced already. */
  renew(refused: string, options: CallOptions): Promise<CrmResult<string>> {
    if (this.token?.value === refused) this.token = null;
    return this.get(options);
  }

  private async fetch(options: CallOptions): Promise<CrmResult<string>> {
    const { clientId, clientSecret } = this.app;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope: scopes };
    const answer = await this.call<{ access_token?: string; expires_in?: number }>({
      method: 'POST', path: crmPaths.appToken, form, secrets: clientSecret === '' ? [] : [clientSecret],
      readable: (token) => typeof token['access_token'] === 'string' && token['access_token'] !== '',
    }, options);
    return mapResult(answer, (token) => {
      const value = token?.access_token ?? '';
      this.token = { value, goodUntil: performance.now() + (token?.expires_in ?? 1_800) * 1_000 - reserveMs };
      return value;
    });
  }
}
