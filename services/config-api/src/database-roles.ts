import { SettingsError } from '@sluice/service-kit';

/**
 * Passwords by service, from the text of SLUICE_DATABASE_ROLES.
 * @param known names of the services
 * @throws SettingsError when an item is not `service:password`; it never repeats a password
 */
export function parseDatabaseRoles(text: string | null, known: readonly string[]): Map<string, string> {
  const passwords = new Map<string, string>();
  for (const [index, item] of (text ?? '').split(',').filter((each) => each.trim() !== '').entries()) {
    const [, service, password] = /^\s*([a-z][a-z0-9-]*):(\S+)\s*$/.exec(item) ?? [];
    if (service === undefined || password === undefined || !known.includes(service)) {
      const names = known.join(', ');
      throw new SettingsError([`SLUICE_DATABASE_ROLES: item ${index + 1} must be service:password, of one of ${names}`]);
    }
    passwords.set(service, password);
  }
  return passwords;
}
