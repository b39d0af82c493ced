import { type BodyOf, type ConfigDocument, configRoutes } from '@sluice/contracts';
import type { VerificationSubjects } from '@sluice/ports';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { VerificationDeps } from './deps';
import { verificationView } from './verification-view';

type Body = BodyOf<typeof configRoutes.createVerification>;

export function postVerifications(deps: VerificationDeps): HttpRoute {
  return implementRoute(configRoutes.createVerification, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, body, wide }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const subjects = subjectsOf(body);
      await assertEntity(deps, connector.id, body.entity);
      const job = await deps.verifications.create({
        organizationId: principal.organization.id, connectorId: connector.id, entity: body.entity, subjects,
      });
      wide.add({ connector_id: connector.id, verification_id: job.id });
      return { status: 202, body: verificationView(job) };
    },
  });
}

/** @throws HttpError 422 unless exactly one of sample, external_ids and since is given */
function subjectsOf({ sample, external_ids: externalIds, since }: Body): VerificationSubjects {
  const given = Object.entries({ sample, external_ids: externalIds, since }).flatMap(([name, value]) => (value ? [name] : []));
  if (given.length === 0) {
    const message = 'Field required unless external_ids or since is given';
    throw new HttpError(422, [validationEntry('body', ['sample'], 'missing', message, null)]);
  }
  if (given.length > 1) {
    const message = 'Give exactly one of sample, external_ids and since';
    throw new HttpError(422, given.slice(1).map((name) => validationEntry('body', [name], 'exclusive', message, null)));
  }
  if (sample) return { sample: sample.count === undefined ? { percentage: sample.percentage! } : { count: sample.count } };
  return externalIds ? { externalIds: [...new Set(externalIds)] } : { since: new Date(since!).toISOString() };
}

/** @throws HttpError 409 without a published version, 422 for an entity that the active one does not have */
async function assertEntity({ configReader }: VerificationDeps, connectorId: string, entity: string): Promise<void> {
  const connector = await configReader.connector(connectorId);
  const version = connector?.active_version ?? null;
  const config = version === null ? null : await configReader.versionConfig(connectorId, version);
  if (config === null) throw apiError('connector_not_published');
  if ((config as Pick<ConfigDocument, 'entities'>).entities.some(({ name }) => name === entity)) return;
  const message = 'The active version has no such entity';
  throw new HttpError(422, [validationEntry('body', ['entity'], 'unknown_entity', message, entity)]);
}
