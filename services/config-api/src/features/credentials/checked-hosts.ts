import { isHostPattern } from '@sluice/contracts';
import { HttpError, validationEntry } from '@sluice/service-kit';

/**
 * The hosts of `allowed_hosts` in small letters; null: any, undefined: not given. Throws a 422 for what is no host, and for a
 * credential of the CRM, which is sent to the CRM alone.
 */
export function checkedHosts(credentialType: string, given: readonly string[] | null | undefined): string[] | null | undefined {
  if (given === null || given === undefined) return given;
  if (credentialType === 'crm_oauth')
    throw new HttpError(422, [
      validationEntry('body', ['allowed_hosts'], 'value_error', 'A credential of the CRM is sent to the CRM alone', given),
    ]);
  const wrong = given.flatMap((host, index) =>
    isHostPattern(host) ? [] : [validationEntry('body', ['allowed_hosts', index], 'value_error', hostRule, host)]);
  if (wrong.length > 0) throw new HttpError(422, wrong);
  return given.map((host) => host.toLowerCase());
}

const hostRule = 'A host is a name, or *.name for its subdomains, with :port only that port; without scheme and path';
