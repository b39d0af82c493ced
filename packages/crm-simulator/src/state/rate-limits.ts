import type { Problem } from './problem';
import type { PortalSettings } from './portal-settings';

/** One refused or admitted call: the headers to send, and the 429 when refused. */
export interface LimitVerdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly problem?: Problem;
}

const tenSeconds = 10_000;
const daySeconds = 86_400_000;

/** Times of admitted calls inside a sliding window, oldest first. */
class Window {
  #times: number[] = [];
  #head = 0;

  constructor(private readonly ms: number) {}

  count(now: number): number {
    while (this.#head < this.#times.length && this.#times[this.#head]! <= now - this.ms) this.#head += 1;
    if (this.#head > 1_024) {
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
    return this.#times.length - this.#head;
  }

  add(now: number): void {
    this.#times.push(now);
  }
}

/** How the group of a limit names its policy. */
const groupOf = { TEN_SECONDLY_ROLLING: 'ten-secondly', SECONDLY: 'secondly', DAILY: 'daily' } as const;

const limited = (message: string, policyName: keyof typeof groupOf, portalId: number): Problem => ({
  status: 429,
  message,
  extra: {
    errorType: 'RATE_LIMIT',
    policyName,
    groupName: `publicapi:private_app-api-calls-${groupOf[policyName]}:1:${portalId}`,
  },
});

/** The budgets of one portal (docs/reference/crm-api.md, Rate limits). A limit that is not set is off and sends no headers. */
export class RateLimits {
  #burst = new Window(tenSeconds);
  #search = new Window(1_000);
  #day = -1;
  #usedToday = 0;

  constructor(private readonly portalId: number, private readonly settings: () => PortalSettings) {}

  /** Counts one call against its budget, or refuses it. Refused calls use nothing up. */
  admit(budget: 'burst' | 'search', now: number): LimitVerdict {
    const { burstPer10s, searchPerS, dailyLimit } = this.settings();
    const today = Math.floor(now / daySeconds);
    if (today !== this.#day) {
      this.#day = today;
      this.#usedToday = 0;
    }
    if (dailyLimit !== undefined && this.#usedToday >= dailyLimit) {
      return {
        headers: this.#headers(budget, now),
        problem: limited('You have reached your daily limit.', 'DAILY', this.portalId),
      };
    }
    if (budget === 'search' && searchPerS !== undefined && this.#search.count(now) >= searchPerS) {
      return { headers: {}, problem: limited('You have reached your secondly limit.', 'SECONDLY', this.portalId) };
    }
    if (budget === 'burst' && burstPer10s !== undefined && this.#burst.count(now) >= burstPer10s) {
      return {
        headers: this.#headers(budget, now),
        problem: limited('You have reached your ten_secondly_rolling limit.', 'TEN_SECONDLY_ROLLING', this.portalId),
      };
    }
    this.#usedToday += 1;
    if (budget === 'search' && searchPerS !== undefined) this.#search.add(now);
    if (budget === 'burst' && burstPer10s !== undefined) this.#burst.add(now);
    return { headers: this.#headers(budget, now) };
  }

  /** Searches carry no rate headers. */
  #headers(budget: 'burst' | 'search', now: number): Record<string, string> {
    const { burstPer10s, dailyLimit } = this.settings();
    const headers: Record<string, string> = {};
    if (budget === 'burst' && burstPer10s !== undefined) {
      headers['X-HubSpot-RateLimit-Max'] = String(burstPer10s);
      headers['X-HubSpot-RateLimit-Remaining'] = String(Math.max(0, burstPer10s - this.#burst.count(now)));
      headers['X-HubSpot-RateLimit-Interval-Milliseconds'] = String(tenSeconds);
    }
    if (budget === 'burst' && dailyLimit !== undefined) {
      headers['X-HubSpot-RateLimit-Daily'] = String(dailyLimit);
      headers['X-HubSpot-RateLimit-Daily-Remaining'] = String(Math.max(0, dailyLimit - this.#usedToday));
    }
    return headers;
  }
}
