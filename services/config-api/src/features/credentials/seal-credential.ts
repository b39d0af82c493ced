import type { CredentialType } from '@sluice/contracts';
import type { CredentialSecret } from '@sluice/ports';
import type { CredentialDeps } from './deps';
import { checkCredentialData } from './check-credential-data';
import { connectCrm } from './connect-crm';

/** Checks a credential's data, asks the CRM where it is one of the CRM's, and encrypts it for this credential alone. */
export async function sealCredential(
  deps: CredentialDeps,
  id: string,
  type: CredentialType,
  given: unknown,
): Promise<CredentialSecret> {
  const { crm, keyring, privateTargets } = deps;
  const data = checkCredentialData(type, given, privateTargets);
  const context = `credential:${id}`;
  if (type !== 'crm_oauth') return { sealed: keyring.encrypt(JSON.stringify(data), context) };
  const { tokens, ...portal } = await connectCrm(crm, data);
  return { ...portal, sealed: keyring.encrypt(JSON.stringify(tokens), context) };
}
