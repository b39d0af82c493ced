import type { RecordWrite } from '@sluice/ports';
import { normalizeIdentity } from '../shared/normalize-identity';

/**
 * A contact is also found by its further addresses, and writing one of these as its `email` would make it the primary one
 * (docs/reference/crm-api.md, Batches). A contact that was found by the address of the event already has it: the address is not
 * sent.
 */
export function withoutKnownAddress<W extends RecordWrite>(write: W): W {
  const { objectType, identityProperty, identityValue, externalId, properties } = write;
  const isKnownByIt =
    objectType === 'contacts' &&
    identityProperty === 'email' &&
    externalId !== null &&
    identityValue !== null &&
    normalizeIdentity('email', externalId) === normalizeIdentity('email', identityValue);
  return isKnownByIt ? { ...write, properties: withoutAddress(properties) } : write;
}

/** At least one property must be left to write. */
export function withoutAddress(properties: RecordWrite['properties']): RecordWrite['properties'] {
  const { email: _email, ...others } = properties;
  return Object.keys(others).length > 0 ? others : properties;
}
