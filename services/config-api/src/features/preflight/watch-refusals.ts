import type { CallResult } from '@sluice/ports';
import type { PortalCalls } from '../../provisioning/open-portal';

/** A portal that remembers whether the CRM refused its credential. */
export interface WatchedPortal {
  portal: PortalCalls;
  /** How many calls were made. */
  calls(): number;
  /** What the CRM said when it refused the token, also after a refresh; null: it did not. */
  refusal(): string | null;
}

/** Codes of failures that every further call with the credential would have. A 403 is about one call: a scope is missing. */
const refusals: ReadonlySet<string> = new Set(['crm_unauthorized', 'crm_token_refused', 'crm_credential_gone']);

type Call = (...given: unknown[]) => Promise<CallResult<unknown>>;

/** Watches all calls: a token that can still be read about may be refused by every other call. */
export function watchRefusals(portal: PortalCalls): WatchedPortal {
  let refusal: string | null = null;
  let calls = 0;
  const watched = (call: Call): Call =>
    async (...given) => {
      calls += 1;
      const answer = await call(...given);
      if (!answer.ok && refusals.has(answer.code)) refusal ??= answer.message;
      return answer;
    };
  const entries = Object.entries(portal).map(([name, value]) => [
    name, typeof value === 'function' ? watched(value as Call) : (value as unknown),
  ]);
  return { portal: Object.fromEntries(entries) as PortalCalls, calls: () => calls, refusal: () => refusal };
}
