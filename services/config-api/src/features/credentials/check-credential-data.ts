import { credentialData, type CredentialType, credentialTypes } from '@sluice/contracts';
import { isPrivateTarget } from '@sluice/public-address';
import { HttpError, schemaCompilers, validationEntries, validationEntry } from '@sluice/service-kit';

const checks = Object.fromEntries(credentialTypes.map((type) => [
  type, schemaCompilers.json({ type: 'object', properties: { data: credentialData[type] } }),
])) as Record<CredentialType, ReturnType<typeof schemaCompilers.json>>;

/**
 * Checks `data` against its type, and where its URL leads. Throws a 422 with every problem; what was given is a secret and not
 * repeated.
 */
export function checkCredentialData(
  type: CredentialType,
  data: unknown,
  privateTargets: 'allowed' | 'refused',
): Record<string, string> {
  const check = checks[type];
  if (check({ data })) {
    const fields = data as Record<string, string>;
    if (privateTargets === 'refused' && isPrivateTarget(fields.token_url ?? '')) throw new HttpError(422, [privateTarget]);
    return fields;
  }
  throw new HttpError(
    422,
    validationEntries(check.errors, 'body', { data }).map((entry) => ({ ...entry, input: null })),
  );
}

const told = 'This installation calls no private or loopback addresses';
const privateTarget = validationEntry('body', ['data', 'token_url'], 'private_target', told, null);
