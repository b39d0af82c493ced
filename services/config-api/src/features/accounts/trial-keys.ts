import type { TrialKeys } from '@sluice/ports';

/** Providers whose addresses belong to people, not to one organization. */
const freeMailProviders = new Set([
  'aol.com',
  'fastmail.com',
  'free.fr',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hey.com',
  'hotmail.com',
  'icloud.com',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'orange.fr',
  'outlook.com',
  'pm.me',
  'posteo.de',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'tutanota.com',
  'web.de',
  'yahoo.com',
  'yandex.com',
  'yandex.ru',
  'ymail.com',
  'zoho.com',
]);

/** Lower-cased and trimmed: how an address is kept and compared. */
export const normalizedEmail = (email: string): string => email.trim().toLowerCase();

/** What may have one trial: the mail domain, unless it is a free mail provider's, and the address. */
export function trialKeys(email: string): TrialKeys {
  const address = normalizedEmail(email);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return { company: freeMailProviders.has(domain) ? null : `domain:${domain}`, address: `address:${address}` };
}
