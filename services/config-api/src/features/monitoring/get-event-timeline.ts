import { configRoutes } from '@sluice/contracts';
import type { EventView } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { MonitoringDeps } from './deps';

interface Entry {
  at: string;
  kind: 'accepted' | 'step' | 'ended' | 'held';
  run: string | null;
  entity_index: number | null;
  detail: Record<string, unknown>;
}

export function getEventTimeline(deps: MonitoringDeps): HttpRoute {
  return implementRoute(configRoutes.eventTimeline, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const acceptedAt = await deps.monitoring.acceptedAt(connector.id, params.event_id);
      if (acceptedAt === null) throw apiError('Not Found');
      const view = await deps.eventIndex.view(connector.id, params.event_id, acceptedAt.toISOString());
      return { status: 200, body: { event_id: params.event_id, items: entriesOf(acceptedAt.toISOString(), view) } };
    },
  });
}

/** Steps come with the row of their run, those of the attempt that ended it. */
function entriesOf(acceptedAt: string, { index, rows, held }: EventView): Entry[] {
  const entries: Entry[] = [
    { at: acceptedAt, kind: 'accepted', run: null, entity_index: null, detail: { entities_total: index?.entitiesTotal ?? null } },
  ];
  for (const { unit, steps, ...row } of rows) {
    const of = { run: unit.run, entity_index: unit.entityIndex };
    for (const { started_at: at, id, action, status, error, duration_ms, attempts } of steps) {
      entries.push({ at, kind: 'step', ...of, detail: { id, action, status, error, duration_ms, attempts } });
    }
    const { flowName, status, error, errorKind, errorCode, reason, crmId, attempts, configVersion, id } = row;
    entries.push({
      at: row.completedAt, kind: 'ended', ...of,
      detail: {
        sync_event_id: id, flow_name: flowName, status, error, error_kind: errorKind, error_code: errorCode, reason,
        crm_id: crmId,
        attempts, config_version: configVersion,
      },
    });
  }
  for (const { unit, reason, dueAt, error, errorCode } of held) {
    entries.push({
      at: new Date().toISOString(), kind: 'held', run: unit.run, entity_index: unit.entityIndex,
      detail: { reason, until: dueAt === null ? null : new Date(dueAt).toISOString(), error, error_code: errorCode },
    });
  }
  return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
