import type { CallOptions, ConfigReader, CrmAccess, CrmClient, CrmPropertyDefinition, CrmResult } from '@sluice/ports';

/** Milliseconds per call of a publish. */
const options: CallOptions = { timeoutMs: 15_000 };

/** The calls provisioning makes, bound to one portal. */
export interface PortalCalls {
  properties(objectType: string): ReturnType<CrmClient['properties']>;
  propertyGroups(objectType: string): ReturnType<CrmClient['propertyGroups']>;
  createPropertyGroup(objectType: string, group: { name: string; label: string }): ReturnType<CrmClient['createPropertyGroup']>;
  createProperties(objectType: string, definitions: CrmPropertyDefinition[]): ReturnType<CrmClient['createProperties']>;
}

/**
 * Calls to the portal of a credential. A token that the CRM no longer accepts is refreshed once
 * (docs/reference/portals-and-publishing.md, Credentials). null: the credential no longer exists.
 */
export async function portalCalls(crm: CrmClient, reader: ConfigReader, credentialId: string): Promise<PortalCalls | null> {
  const first = await reader.crmAccess(credentialId);
  if (!first) return null;
  let access: CrmAccess = first;
  async function withFreshToken<T>(call: (access: CrmAccess) => Promise<CrmResult<T>>): Promise<CrmResult<T>> {
    const result = await call(access);
    if (result.ok || result.status !== 401) return result;
    const fresh = await reader.refreshCrmAccess(credentialId, access.accessToken, async (refreshToken) => {
      const refreshed = await crm.refreshToken(refreshToken, options);
      return refreshed.ok ? refreshed.value : null;
    });
    if (!fresh) return result;
    access = fresh;
    return call(access);
  }
  return {
    properties: (objectType) => withFreshToken((now) => crm.properties(now, objectType, options)),
    propertyGroups: (objectType) => withFreshToken((now) => crm.propertyGroups(now, objectType, options)),
    createPropertyGroup: (objectType, group) => withFreshToken((now) => crm.createPropertyGroup(now, objectType, group, options)),
    createProperties: (objectType, definitions) => withFreshToken((now) => crm.createProperties(now, objectType, definitions, options)),
  };
}
