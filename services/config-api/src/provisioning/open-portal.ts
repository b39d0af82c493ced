import { type CallKind, createPortalSession, type PortalBudget, type PortalSession } from '@sluice/crm-writer';
import type { CallOptions, ConfigReader, CrmAccess, CrmClient, CrmResult } from '@sluice/ports';

/** Milliseconds per call of a publish. */
const callTimeoutMs = 15_000;
/**
 * A person waits for the publish, and what it cannot do ends as an error: it waits longer for the portal's budget than events do.
 */
const budgetPatienceMs = 10_000;

/** The calls config-api makes on a portal, and what kind of call each is for the portal's budget. */
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
} as const satisfies Partial<Record<keyof CrmClient, CallKind>>;

type Bound<M> = M extends (access: CrmAccess, ...args: [...infer A, CallOptions]) => infer R ? (...args: A) => R : never;

/** These calls, bound to one portal. */
export type PortalCalls = { readonly portalId: string } & { [K in keyof typeof callKinds]: Bound<CrmClient[K]> };

/** The portal of a credential. null: the credential no longer exists. */
export type OpenPortal = (credentialId: string) => Promise<PortalCalls | null>;

export interface OpenPortalDeps {
  crm: CrmClient;
  reader: Pick<ConfigReader, 'crmAccess' | 'refreshCrmAccess'>;
  /** Shared with the runners: what provisioning calls counts for the portal. */
  budget: PortalBudget;
  /** Milliseconds of a clock that is never set back. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Told before something is written to a portal and after it. */
  wrote?(): void;
}

/**
 * Calls go through the session that the runners use: within the portal's budget, and a token that the CRM no longer accepts is
 * refreshed once (docs/reference/portals-and-publishing.md, Credentials).
 */
export function createOpenPortal({ crm, reader, budget, now, sleep, wrote }: OpenPortalDeps): OpenPortal {
  const deps = {
    client: crm, reader, budget, now, sleep, callTimeoutMs, budgetPatienceMs,
    // Provisioning owns no partition; there are no metrics of its calls.
    insideLease: () => Promise.resolve(true), observer: { called: () => undefined },
  };
  return async (credentialId) => {
    const first = await reader.crmAccess(credentialId);
    if (!first) return null;
    const { call } = createPortalSession(deps, { credentialId, portalId: first.portalId });
    return { portalId: first.portalId, ...boundCalls(call, wrote) };
  };
}

/** One function for each of the calls, which goes through the session. */
function boundCalls(call: PortalSession['call'], wrote: () => void = () => undefined): Omit<PortalCalls, 'portalId'> {
  const bound = Object.entries(callKinds).map(([name, kind]) => [
    name,
    async (...args: unknown[]) => {
      if (kind === 'write') wrote();
      const answer = await call(kind, (client, access, options) =>
        (client[name as keyof typeof callKinds] as (...all: unknown[]) => Promise<CrmResult<unknown>>)(access, ...args, options));
      if (kind === 'write') wrote();
      return answer;
    },
  ]);
  return Object.fromEntries(bound) as Omit<PortalCalls, 'portalId'>;
}
