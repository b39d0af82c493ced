import type {
  CallLeases, CallOptions, ConfigReader, CrmAccess, CrmClient, CrmCredentialAccess, CrmResult, ErrorKind, FailureCode,
  MonotonicClock, WorkClass,
} from '@sluice/ports';
import { CredentialRefreshBusy, RecentRead, startRefusal, timed } from '@sluice/ports';
import type { CallKind, PortalBudget } from './portal-budget';

/** The result of one call. `failure`: null when it succeeded. */
export interface CallReport {
  portalId: string;
  kind: CallKind;
  /** HTTP status, 0: no answer. */
  status: number;
  ms: number;
  ok: boolean;
  code: FailureCode | null;
  failure: ErrorKind | null;
  /** The connectors of the units that it was made for. */
  connectorIds: readonly string[];
}

/** Receives a report of each call. */
export interface CallObserver {
  called(call: CallReport): void;
}

export interface PortalSessionDeps extends CallLeases {
  client: CrmClient;
  reader: Pick<ConfigReader, 'crmAccess' | 'refreshCrmAccess'>;
  budget: PortalBudget;
  observer: CallObserver;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  /**
   * The longest time a live call waits for the portal's budget, milliseconds. Default: 2 s; then events are held
   * (docs/architecture.md, What waits).
   */
  budgetPatienceMs?: number;
  /** Milliseconds a CRM call may take. */
  callTimeoutMs: number;
  /** Called with the portal's token before a call carries it. */
  tokenUsed?(credentialId: string, accessToken: string): void;
}

const defaultBudgetPatienceMs = 2_000;
/** The same of calls that are not live: their share may be small. Within the time in which a claim's create must be sent. */
const lowerPatienceMs = 5_000;
/** When a call may be tried again whose token somebody else is refreshing. */
const busyWaitMs = 1_000;
/** How soon such a call learns that live work waits for it. */
const hurriedWithinMs = 250;

/** One (credential, portal): every CRM call of this process goes through it. */
export interface PortalSession {
  readonly credentialId: string;
  readonly portalId: string;
  /** The token that a call would carry now; null: its credential does not exist any more. Throws StoreUnavailable. */
  accessToken(): Promise<string | null>;
  call<T>(
    kind: CallKind,
    send: (client: CrmClient, access: CrmAccess, options: CallOptions) => Promise<CrmResult<T>>,
    callContext: CallContext,
  ): Promise<CrmResult<T>>;
}

/** The units that a call is made for. */
export interface CallContext {
  /** Whether this runner still owns all units that the call is made for: checked right before each send, repeats included. */
  owned(): boolean;
  /** Why it is made, which may change while it waits. Absent: live. */
  workClass?(): WorkClass;
  headers?: Record<string, string> | undefined;
  /** The connectors of its units, each once. Absent: it belongs to none. */
  connectorIds?(): readonly string[];
  /** Called when a write got no definite answer: it may still take effect. `sentMsAgo`: how long ago it was sent. */
  unanswered?(sentMsAgo: number): void;
}

/** The context of reads of a portal's definitions, which belong to no unit. */
export const forNoUnit: CallContext = { owned: () => true };

/** Statuses of a proxy that gave up waiting for the CRM: the CRM may still be executing the call. */
const gaveUpWaiting: ReadonlySet<number> = new Set([502, 504, 520, 522, 524]);
const mayStillLand = (answer: CrmResult<unknown>): boolean =>
  !answer.ok && ((answer.status === 0 && answer.code !== 'crm_not_reached') || gaveUpWaiting.has(answer.status));

const failure = (kind: 'transient' | 'fatal', code: FailureCode, message: string, retryAfterMs?: number): CrmResult<never> => ({
  ok: false, kind, code, message, status: 0, ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

export function createPortalSession(deps: PortalSessionDeps, binding: { credentialId: string; portalId: string }): PortalSession {
  const { monotonicNow } = deps;
  const access = new RecentRead({ read: () => deps.reader.crmAccess(binding.credentialId), monotonicNow });

  /** All calls with the same stale token share one refresh: the store's row lock and re-read ensure that. */
  const refresh = async (stale: string): Promise<CrmCredentialAccess | null> => {
    const last = access.last();
    if (last && last.accessToken !== stale) return last;
    const askedAt = monotonicNow();
    const fresh = await deps.reader.refreshCrmAccess(binding.credentialId, stale, async (refreshToken) => {
      const answer = await deps.client.refreshToken(refreshToken, { timeoutMs: deps.callTimeoutMs });
      if (answer.ok) return answer.value;
      if (answer.kind === 'transient') throw new RefreshPostponed(answer.message);
      return null;
    });
    if (fresh) access.put(fresh, askedAt);
    return fresh;
  };
  const patienceMs = { live: deps.budgetPatienceMs ?? defaultBudgetPatienceMs, lower: lowerPatienceMs };
  const waitForBudget = async (kind: CallKind, classOf: () => WorkClass): Promise<number> => {
    let [began, isLive] = [monotonicNow(), false];
    for (;;) {
      const workClass = classOf();
      if (workClass === 'live' && !isLive) [began, isLive] = [monotonicNow(), true];
      const wait = await deps.budget.take(binding.portalId, kind, workClass);
      if (wait === 0) return 0;
      if (monotonicNow() + wait > began + (isLive ? patienceMs.live : patienceMs.lower)) return wait;
      await deps.sleep(isLive ? wait : Math.min(wait, hurriedWithinMs));
    }
  };
  const observe = <T>(kind: CallKind, startedAt: number, answer: CrmResult<T>, connectorIds: readonly string[]): void => {
    if (answer.rate) deps.budget.apply(binding.portalId, answer.rate);
    if (!answer.ok && answer.status === 429) deps.budget.refused(binding.portalId, kind, answer.retryAfterMs ?? 1_000);
    deps.observer.called({
      portalId: binding.portalId,
      kind,
      status: answer.status,
      ms: monotonicNow() - startedAt,
      ok: answer.ok,
      code: answer.ok ? null : answer.code,
      failure: answer.ok ? null : answer.kind,
      connectorIds,
    });
  };

  return {
    credentialId: binding.credentialId,
    portalId: binding.portalId,
    accessToken: async () => (await access.get())?.accessToken ?? null,
    call: async (kind, send, callContext) => {
      let token: CrmCredentialAccess | null = null;
      const classOf = (): WorkClass => callContext.workClass?.() ?? 'live';
      for (let attempt = 1; ; attempt += 1) {
        // Each send counts in the CRM's limit, also the repeat after a refused token.
        const wait = await waitForBudget(kind, classOf);
        if (wait > 0 && kind !== 'search' && classOf() === 'live') deps.budget.ranDry(binding.portalId, wait);
        if (wait > 0) return failure('transient', 'portal_dry', 'the portal allows no further calls at the moment', wait);
        token ??= await access.get();
        if (!token)
          return failure('fatal', 'crm_credential_gone', 'the credential bound to the connector does not exist any more');
        const refusal = await startRefusal(deps, deps.callTimeoutMs, () => callContext.owned());
        if (refusal) return { ...refusal, status: 0 };
        deps.tokenUsed?.(binding.credentialId, token.accessToken);
        const startedAt = monotonicNow();
        const { accessToken } = token;
        const sent = (): ReturnType<typeof send> => send(
          deps.client,
          { portalId: binding.portalId, accessToken },
          { timeoutMs: deps.callTimeoutMs, ...(callContext.headers ? { headers: callContext.headers } : {}) },
        );
        const answer = kind === 'write' ? await timed(deps, sent) : await sent();
        observe(kind, startedAt, answer, callContext.connectorIds?.() ?? []);
        if (kind === 'write' && mayStillLand(answer)) callContext.unanswered?.(monotonicNow() - startedAt);
        if (answer.ok || answer.status !== 401 || attempt > 1) return answer;
        try {
          token = await refresh(token.accessToken);
        } catch (error) {
          if (error instanceof RefreshPostponed) return failure('transient', 'credential_refresh_failed', error.message);
          if (error instanceof CredentialRefreshBusy)
            return failure('transient', 'credential_refresh_busy', error.message, busyWaitMs);
          throw error;
        }
        if (!token) return answer;
      }
    },
  };
}

/** The token could not be refreshed for a transient reason: the credential itself is not wrong. */
class RefreshPostponed extends Error {
  override name = 'RefreshPostponed';
}
