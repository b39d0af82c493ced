import { type BodyOf, configRoutes } from '@sluice/contracts';
import type { NewReplayJob } from '@sluice/ports';
import { HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { ReplayDeps } from './deps';
import { replayJobView } from './replay-job-view';

type Body = BodyOf<typeof configRoutes.createReplayJob>;

export function postReplays(deps: ReplayDeps): HttpRoute {
  return implementRoute(configRoutes.createReplayJob, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, body, requestId, wide }) => {
      const { id: connectorId } = await findConnector(deps, principal, params.connector_id);
      const match = matchOf(body);
      if ('ids' in match) await assertKnown(deps, connectorId, match.ids, body.ids ?? []);
      const job = await deps.replayJobs.create({
        organizationId: principal.organization.id, connectorId, match, requestId,
        force: body.force ?? false, dryRun: body.dry_run ?? false, ratePerSecond: body.rate_per_second ?? null,
      });
      wide.add({ connector_id: connectorId, replay_id: job.id });
      return { status: 202, body: replayJobView(job) };
    },
  });
}

/** @throws HttpError 422 unless exactly one of filter and ids is given */
function matchOf({ filter, ids }: Body): NewReplayJob['match'] {
  if (filter === undefined && ids === undefined) {
    throw new HttpError(422, [validationEntry('body', ['filter'], 'missing', 'Field required unless ids is given', null)]);
  }
  if (filter !== undefined && ids !== undefined) {
    throw new HttpError(422, [validationEntry('body', ['ids'], 'exclusive', 'Give either filter or ids', null)]);
  }
  if (ids !== undefined) return { ids: [...new Set(ids)] };
  const { external_ids: externalIds, since, until, ...rest } = filter!;
  return {
    filter: {
      ...rest, ...(externalIds && { externalIds }), ...(since && { since: utc(since) }), ...(until && { until: utc(until) }),
    },
  };
}

const utc = (time: string): string => new Date(time).toISOString();

/** A job of ids begins with all of them or not at all. */
async function assertKnown(
  { replayJobs }: ReplayDeps, connectorId: string, ids: readonly string[], given: readonly string[],
): Promise<void> {
  const unknown = new Set(await replayJobs.unknownIds(connectorId, ids));
  const entries = given.flatMap((id, place) =>
    unknown.has(id)
      ? [validationEntry('body', ['ids', place], 'unknown_record', 'This connector has no such record row', id)]
      : []);
  if (entries.length > 0) throw new HttpError(422, entries);
}
