import { randomUUID } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { newToken } from '../../mails/mail-token';
import type { CrmInstallDeps } from './deps';
import { installTokens } from './install-tokens';

/** What the CRM sends the person back to, who need not be signed in. */
export const callbackUrl = (publicUrl: string): string => `${publicUrl}/api/v1/auth/crm/callback`;

export const sealContext = (installId: string): string => `crm_install:${installId}`;

export function getCrmCallback({ crm, keyring, publicUrl, store, times }: CrmInstallDeps): HttpRoute {
  return implementRoute(configRoutes.crmInstallCallback, {
    handler: async ({ query: { code, error }, wide }) => {
      if (error !== undefined) throw apiError('crm_install_failed');
      if (code === undefined || code === '')
        throw new HttpError(422, [validationEntry('query', ['code'], 'missing', 'Field required', null)]);
      const { tokens, ...install } = await installTokens(crm, { code, redirectUri: callbackUrl(publicUrl()) });
      wide.add({ portal_id: install.portalId });
      const [id, { hash: tokenHash, token }] = [randomUUID(), newToken('crm_install')];
      const sealed = keyring.encrypt(JSON.stringify(tokens), sealContext(id));
      await store.installs.add({ ...install, id, tokenHash, sealed, ttlMs: times.installTtlMs });
      const page = new URL(publicUrl());
      page.searchParams.set('token', token);
      // The token is in the address: it must not go on to others.
      const headers = { Location: page.toString(), 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };
      return { status: 302, headers };
    },
  });
}
