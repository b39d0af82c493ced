import { createPortalSession, type PortalBudget } from '@sluice/crm-writer';
import type { ConfigReader, CrmClient, CrmPropertyDefinition } from '@sluice/ports';

/** Milliseconds per call of a publish. */
const callTimeoutMs = 15_000;
/**
 * A person waits for the publish, and what it cannot do ends as an error: it waits longer for the portal's budget than events do.
 */
const budgetPatienceMs = 10_000;

/** The calls provisioning makes, bound to one portal. */
export interface PortalCalls {
  properties(objectType: string): ReturnType<CrmClient['properties']>;
  propertyGroups(objectType: string): ReturnType<CrmClient['propertyGroups']>;
  createPropertyGroup(objectType: string, group: { name: string; label: string }): ReturnType<CrmClient['createPropertyGroup']>;
  createProperties(objectType: string, definitions: CrmPropertyDefinition[]): ReturnType<CrmClient['createProperties']>;
}

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
}

/**
 * Calls go through the session that the runners use: within the portal's budget, and a token that the CRM no longer accepts is
 * refreshed once (docs/reference/portals-and-publishing.md, Credentials).
 */
export function createOpenPortal({ crm, reader, budget, now, sleep }: OpenPortalDeps): OpenPortal {
  const deps = {
    client: crm, reader, budget, now, sleep, callTimeoutMs, budgetPatienceMs,
    // Provisioning owns no partition; there are no metrics of its calls.
    insideLease: () => Promise.resolve(true), observer: { called: () => undefined },
  };
  return async (credentialId) => {
    const first = await reader.crmAccess(credentialId);
    if (!first) return null;
    const { call } = createPortalSession(deps, { credentialId, portalId: first.portalId });
    return {
      properties: (objectType) => call('read', (client, access, options) => client.properties(access, objectType, options)),
      propertyGroups: (objectType) =>
        call('read', (client, access, options) => client.propertyGroups(access, objectType, options)),
      createPropertyGroup: (objectType, group) =>
        call('write', (client, access, options) => client.createPropertyGroup(access, objectType, group, options)),
      createProperties: (objectType, definitions) =>
        call('write', (client, access, options) => client.createProperties(access, objectType, definitions, options)),
    };
  };
}
