import { type BodyOf, configRoutes, standardObjectType, type ValidationEntry } from '@sluice/contracts';
import type { ConnectorRow, RestoredMapping } from '@sluice/ports';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { declaredEntities } from './declared-entities';
import type { IdentityDeps } from './deps';

type Body = BodyOf<typeof configRoutes.restoreIdentityMappings>;

export function postIdentityMappings(deps: IdentityDeps): HttpRoute {
  return implementRoute(configRoutes.restoreIdentityMappings, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const { portalId, epoch } = bindingOf(connector);
      if (body.portal_id !== portalId)
        throw refused([entry(['portal_id'], 'other_portal', `The connector is bound to the portal ${portalId}`, body.portal_id)]);
      const mappings = await readMappings(deps, connector, body);
      const answer = await deps.store.mappings.restore(connector.id, epoch, mappings);
      if (answer === 'binding_changed') throw apiError('binding_changed');
      const asked = new Map(mappings.map(({ entity, externalId, crmId }) => [keyOf(entity, externalId), crmId]));
      const conflicts = answer.present.filter(({ entity, externalId, crmId }) => asked.get(keyOf(entity, externalId)) !== crmId);
      const counts = { restored: answer.saved, unchanged: mappings.length - answer.saved - conflicts.length };
      wide.add({ connector_id: connector.id, ...counts, conflicts: conflicts.length });
      return {
        status: 200,
        body: {
          ...counts,
          conflicts: conflicts.map(({ entity, externalId, crmId }) => ({
            entity_type: entity, external_id: externalId, crm_id: crmId,
          })),
        },
      };
    },
  });
}

/** @throws HttpError 422 `crm_portal_not_bound` */
function bindingOf({ binding }: ConnectorRow): NonNullable<ConnectorRow['binding']> {
  if (binding) return binding;
  throw apiError('crm_portal_not_bound', { message: 'Connect a portal, or bind the connector to one with credential_id.' });
}

/** @throws HttpError 422 with every entity that the config lacks, and every external id that is given twice */
async function readMappings(
  deps: IdentityDeps, connector: ConnectorRow, { portal_id: portalId, mappings }: Body,
): Promise<RestoredMapping[]> {
  const types = new Map((await declaredEntities(deps, connector)).flatMap(({ name, schemas }) => {
    const type = schemas.crm?.object_type;
    return type === undefined ? [] : [[name, standardObjectType(type) ?? type] as const];
  }));
  const problems: ValidationEntry[] = [];
  const seen = new Set<string>();
  const rows = mappings.flatMap(({ entity_type: entity, external_id: externalId, crm_id: crmId }, index) => {
    const objectType = types.get(entity);
    const key = keyOf(entity, externalId);
    if (seen.has(key))
      problems.push(entry(['mappings', index, 'external_id'], 'repeated', 'The external id stands here twice', externalId));
    else if (objectType === undefined)
      problems.push(
        entry(['mappings', index, 'entity_type'], 'undeclared_entity', `The config has no entity '${entity}'`, entity),
      );
    seen.add(key);
    return objectType === undefined ? [] : [{ entity, externalId, portalId, objectType, crmId }];
  });
  if (problems.length > 0) throw refused(problems);
  return rows;
}

const keyOf = (entity: string, externalId: string): string => JSON.stringify([entity, externalId]);
const entry = (place: (string | number)[], type: string, message: string, input: string): ValidationEntry =>
  validationEntry('body', place, type, message, input);
const refused = (entries: ValidationEntry[]): HttpError => new HttpError(422, entries);
