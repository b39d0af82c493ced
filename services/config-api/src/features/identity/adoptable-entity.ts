import type { ConnectorRow } from '@sluice/ports';
import { HttpError, validationEntry } from '@sluice/service-kit';
import { declaredEntities } from './declared-entities';
import type { IdentityDeps } from './deps';

/** Object types whose records can be adopted, by every name a config may give them. */
const adoptable: Readonly<Record<string, string>> = {
  contacts: 'contacts', contact: 'contacts', '0-1': 'contacts', companies: 'companies', company: 'companies', '0-2': 'companies',
  deals: 'deals', deal: 'deals', '0-3': 'deals',
};

export interface AdoptableEntity {
  objectType: string;
  identityProperty: string;
}

/** The entity that a mapping is saved for: of the version that runs, else of the draft. Throws 422 for one that has none. */
export async function adoptableEntity(
  { store }: Pick<IdentityDeps, 'store'>,
  connector: ConnectorRow,
  name: string,
): Promise<AdoptableEntity> {
  const entity = (await declaredEntities({ store }, connector)).find((one) => one.name === name);
  if (!entity) throw refused('undeclared_entity', `The config has no entity '${name}'`, name);
  const { object_type: type, identity } = entity.schemas.crm ?? {};
  const objectType = type === undefined ? undefined : adoptable[type.toLowerCase()];
  if (objectType === undefined)
    throw refused('object_type_not_adoptable', 'Only records of companies, contacts and deals can be adopted', name);
  if (identity === undefined || identity.property === 'hs_object_id')
    throw refused('entity_without_identity', `Entity '${name}' has no identity property that could be written`, name);
  return { objectType, identityProperty: identity.property };
}

const refused = (type: string, message: string, input: string): HttpError =>
  new HttpError(422, [validationEntry('body', ['entity_type'], type, message, input)]);
