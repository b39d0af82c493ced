import { credentialData, type CredentialType, credentialTypes } from '@sluice/contracts';
import { HttpError, schemaCompilers, validationEntries } from '@sluice/service-kit';

const checks = Object.fromEntries(credentialTypes.map((type) => [
  type, schemaCompilers.json({ type: 'object', properties: { data: credentialData[type] } }),
])) as Record<CredentialType, ReturnType<typeof schemaCompilers.json>>;

/** Checks `data` against its type. Throws a 422 with every problem; the given values are secrets and are not repeated. */
export function checkCredentialData(type: CredentialType, data: unknown): Record<string, string> {
  const check = checks[type];
  if (check({ data })) return data as Record<string, string>;
  throw new HttpError(422, validationEntries(check.errors, 'body', { data }).map((entry) => ({ ...entry, input: null })));
}
