import {
  type CallKind, createPortalSession, forNoUnit, type PortalBudget, type PortalSession, type PortalSessionDeps,
} from '@sluice/crm-writer';
import type { CallOptions, ConfigReader, CrmAccess, CrmClient, CrmResult, MonotonicClock } from '@sluice/ports';

/** Milliseconds per call of a publish. */
const callTimeoutMs = 15_000;
/** A person waits for the publish, and it must succeed or fail: it waits longer for the portal's budget than events do. */
const budgetPatienceMs = 10_000;
/** Less, where all calls together have little time. */
const hurriedPatienceMs = 1_000;

/** The calls of config-api to a portal, and their kinds for the portal's budget. */
const callKinds = {
  properties: 'read',
  propertyGroups: 'read',
  createPropertyGroup: 'write',
  createProperties: 'write',
  objectSchema: 'read',
  createObjectSchema: 'write',
  pipelines: 'read',
  createPipeline: 'write',
  createPipelineStage: 'write',
  associationTypes: 'read',
  search: 'search',
  batchUpdate: 'write',
} as const satisfies Partial<Record<keyof CrmClient, CallKind>>;

type Bound<M> = M extends (access: CrmAccess, ...args: [...infer A, CallOptions]) => infer R ? (...args: A) => R : never;

/** These calls, bound to one portal. */
export type PortalCalls = { [K in keyof typeof callKinds]: Bound<CrmClient[K]> } & {
  readonly portalId: string;
  /** The scopes of the credential, as the CRM knows them now. */
  scopes(): Promise<CrmResult<string[]>>;
};

/**
 * The portal of a credential. null: the credential no longer exists.
 * @param limits.withinMs all calls together end within this time; those that cannot, fail as if the CRM had not answered
 */
export type OpenPortal = (credentialId: string, limits?: { withinMs: number }) => Promise<PortalCalls | null>;

export interface OpenPortalDeps {
  crm: CrmClient;
  reader: Pick<ConfigReader, 'crmAccess' | 'refreshCrmAccess'>;
  /** Shared with the runners: calls of provisioning count for the portal. */
  budget: PortalBudget;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
  /** Called before and after something is written to a portal. */
  wrote?(): void;
}

/**
 * Calls go through the session that the runners use: within the portal's budget, and a token that the CRM no longer accepts is
 * refreshed once (docs/reference/portals-and-publishing.md, Credentials).
 */
export function createOpenPortal({ crm, reader, budget, monotonicNow, sleep, wrote }: OpenPortalDeps): OpenPortal {
  const deps = {
    client: crm, reader, budget, monotonicNow, sleep, callTimeoutMs, budgetPatienceMs,
    // Provisioning owns no partition; there are no metrics of its calls.
    insideLease: () => Promise.resolve(true), observer: { called: () => undefined },
  };
  return async (credentialId, limits) => {
    const first = await reader.crmAccess(credentialId);
    if (!first) return null;
    const binding = { credentialId, portalId: first.portalId };
    const { call } = limits
      ? hurried(deps, binding, monotonicNow() + limits.withinMs)
      : createPortalSession(deps, binding);
    return { portalId: first.portalId, ...boundCalls(call, wrote), scopes: () => readScopes(call) };
  };
}

/** A session whose calls, their waits included, all end by a moment. */
function hurried(
  deps: PortalSessionDeps, binding: { credentialId: string; portalId: string }, until: number,
): Pick<PortalSession, 'call'> {
  const late: CrmResult<never> = {
    ok: false, kind: 'transient', code: 'crm_timeout', status: 0, message: 'the portal was not asked in time',
  };
  return {
    call: async (kind, send, context) => {
      const left = until - deps.monotonicNow();
      if (left <= 0) return late;
      const budgetPatienceMs = Math.min(left, hurriedPatienceMs);
      const session = createPortalSession({ ...deps, budgetPatienceMs }, binding);
      const timed: typeof send = (client, access, options) => {
        const timeoutMs = Math.min(options.timeoutMs, Math.ceil(until - deps.monotonicNow()));
        return timeoutMs <= 0 ? Promise.resolve(late) : send(client, access, { ...options, timeoutMs });
      };
      return session.call(kind, timed, context);
    },
  };
}

async function readScopes(call: PortalSession['call']): Promise<CrmResult<string[]>> {
  const answer = await call('read', async (client, access, options) => {
    const info = await client.introspect(access.accessToken, options);
    // As any other call with a token that the CRM does not take: it is refreshed once, and the call repeated.
    return !info.ok && info.code === 'crm_token_refused'
      ? { ...info, kind: 'fatal', code: 'crm_unauthorized', status: 401 }
      : info;
  }, forNoUnit);
  return answer.ok ? { ...answer, value: answer.value.scopes } : answer;
}

/** One function for each of the calls, which goes through the session. */
function boundCalls(
  call: PortalSession['call'], wrote: () => void = () => undefined,
): Pick<PortalCalls, keyof typeof callKinds> {
  const bound = Object.entries(callKinds).map(([name, kind]) => [
    name,
    async (...args: unknown[]) => {
      if (kind === 'write') wrote();
      const answer = await call(kind, (client, access, options) =>
        (client[name as keyof typeof callKinds] as (...all: unknown[]) => Promise<CrmResult<unknown>>)(access, ...args, options),
        forNoUnit);
      if (kind === 'write') wrote();
      return answer;
    },
  ]);
  return Object.fromEntries(bound) as Pick<PortalCalls, keyof typeof callKinds>;
}
