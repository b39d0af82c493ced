import { isIP } from 'node:net';
import { createLocalBilling } from '@sluice/billing-local';
import { createStripeBilling, pricesOf } from '@sluice/billing-stripe';
import { createSmtpMailSender } from '@sluice/mail-smtp';
import type { BillingProvider, IdentityProvider, MailSender } from '@sluice/ports';
import type { billingSettings, Lifecycle, mailSettings, oidcSettings, SettingValues } from '@sluice/service-kit';
import { createOidcProvider } from '@sluice/sign-in-oidc';
import type { FunctionPartsSettings } from './parts-settings';

/** What accounts need of the world outside. */
export interface AccountParts {
  /** null: mails wait in the outbox. */
  mailSender: MailSender | null;
  billing: BillingProvider;
  /** null: nobody signs in elsewhere. */
  identityProvider: IdentityProvider | null;
}

export type AccountPartsSettings = SettingValues<typeof billingSettings & typeof mailSettings & typeof oidcSettings>
  & Pick<FunctionPartsSettings, 'allowPrivateTargets' | 'deniedTargets'>;

/** The providers of `SLUICE_BILLING`. @param publicUrl base of the product's links */
const billingProviders: Record<
  AccountPartsSettings['billing'], (settings: AccountPartsSettings, publicUrl: string) => BillingProvider
> = {
  local: (_settings, publicUrl) => createLocalBilling({ publicUrl }),
  stripe: ({ stripeSecretKey, stripeWebhookSecret, stripeApiBase: apiBase, stripePrices }, publicUrl) => createStripeBilling({
    // The settings need them for `stripe`.
    secretKey: stripeSecretKey!, webhookSecret: stripeWebhookSecret!, prices: pricesOf(stripePrices!), apiBase, publicUrl,
  }),
};

/** Opens the parts that the settings name and hands them to the lifecycle. @param publicUrl see `publicUrlOf` */
export function openAccountParts(
  settings: AccountPartsSettings,
  { publicUrl }: { publicUrl: string },
  lifecycle: Pick<Lifecycle, 'add'>,
): AccountParts {
  return {
    mailSender: openMailSender(settings, publicUrl, lifecycle), billing: billingProviders[settings.billing](settings, publicUrl),
    identityProvider: openIdentityProvider(settings, publicUrl),
  };
}

function openIdentityProvider(
  { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, ...settings }: AccountPartsSettings,
  publicUrl: string,
): IdentityProvider | null {
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return createOidcProvider({
    issuer, clientId, clientSecret, redirectUri: `${publicUrl}/api/auth/oidc/callback`,
    allowPrivateTargets: settings.allowPrivateTargets, deniedTargets: settings.deniedTargets ?? [],
  });
}

function openMailSender(
  { smtpUrl: url, mailFrom, smtpConnections: connections }: AccountPartsSettings,
  publicUrl: string,
  lifecycle: Pick<Lifecycle, 'add'>,
): MailSender | null {
  if (url === null) return null;
  const mailSender = createSmtpMailSender({ url, from: mailFrom ?? `Sluice <no-reply@${mailHost(publicUrl)}>`, connections });
  lifecycle.add('mail server', () => undefined, () => mailSender.close());
  return mailSender;
}

/** The part of an address behind the at sign. */
function mailHost(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, '');
  return isIP(host) ? 'localhost' : host;
}
