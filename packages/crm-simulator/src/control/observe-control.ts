import { answer, type Answer } from '../http/answer';
import type { ObjectType } from '../model/object-types';
import { propertyOf } from '../records/present-record';
import type { CrmRecord } from '../stores/record-store';
import type { LoggedCall } from '../state/call-log';
import type { PortalState } from '../state/portal-state';
import type { PortalStats } from '../state/portal-stats';
import type { SimulatorState } from '../state/simulator-state';
import { BadInput, pattern, queryNumber } from './control-input';
import type { ControlCall, ControlRoute } from './control-call';

const iso = (ms: number): string => new Date(ms).toISOString();

/** A JSON body as JSON, any other as text; null when there was none or it was dropped. */
function requestOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // Forms and broken JSON are shown as they came.
  }
}

function calls({ sim, query }: ControlCall): Answer {
  const portalId = queryNumber(query, 'portal_id');
  const after = queryNumber(query, 'after') ?? 0;
  const wanted = query.get('path');
  const path = wanted === null ? undefined : pattern('path', wanted);
  const items: unknown[] = [];
  for (const call of sim.calls.entries()) if (fits(call)) items.push(presentCall(call));
  return answer(200, { items, total: items.length });

  function fits(call: LoggedCall): boolean {
    return (
      call.seq > after && (portalId === undefined || call.portalId === portalId) && (path === undefined || path.test(call.path))
    );
  }
}

const presentCall = (call: LoggedCall): Record<string, unknown> => ({
  seq: call.seq,
  at: iso(call.at),
  portal_id: call.portalId,
  method: call.method,
  path: call.path,
  query: call.query,
  status: call.status,
  inputs: call.inputs,
  request: requestOf(call.request),
  fault_id: call.faultId,
});

function stats({ sim, query }: ControlCall): Answer {
  const portalId = queryNumber(query, 'portal_id');
  const chosen: PortalStats[] =
    portalId === undefined
      ? [...[...sim.portals.values()].map((portal) => portal.stats), sim.unowned]
      : [requirePortal(sim, portalId).stats];
  const routes: Record<string, Record<string, number>> = {};
  const written: Record<string, number> = {};
  for (const one of chosen) {
    for (const [route, statuses] of one.callsByRoute) {
      const counts = (routes[route] ??= {});
      for (const [status, n] of statuses) counts[status] = (counts[status] ?? 0) + n;
    }
    for (const [type, n] of one.recordsWritten) written[type] = (written[type] ?? 0) + n;
  }
  return answer(200, {
    calls: chosen.reduce((sum, one) => sum + one.calls, 0),
    calls_by_route: routes,
    records_written: written,
    highest_concurrency: Math.max(...chosen.map((one) => one.highestConcurrency)),
    rejected_by_limit: chosen.reduce((sum, one) => sum + one.rejectedByLimit, 0),
  });
}

function requirePortal(sim: SimulatorState, portalId: number): PortalState {
  const portal = sim.portals.get(portalId);
  if (!portal) throw new BadInput('portal_id', `there is no portal ${portalId}`);
  return portal;
}

/** A record as `/_sim/records` shows it; archived and merged ones too. */
export function presentSimRecord(portal: PortalState, type: ObjectType, record: CrmRecord): Record<string, unknown> {
  const associations = [...portal.associations.all({ typeId: type.id, id: record.id })].flatMap(([typeId, partners]) =>
    [...partners].map(([toId, ids]) => ({
      to_object_type: portal.typeById(typeId)?.name ?? typeId,
      to_id: toId,
      types: [...ids],
    })),
  );
  return {
    id: record.id,
    object_type: type.name,
    properties: {
      ...record.properties,
      hs_object_id: record.id,
      [type.createdProperty]: propertyOf(type, record, type.createdProperty),
      [type.modifiedProperty]: iso(record.updatedAt),
    },
    archived: record.archived,
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
    writes: record.writes,
    write_log: record.log.map(({ at, actor, properties }) => ({ at: iso(at), source: actor.source, properties })),
    associations,
    ...(record.mergedInto === undefined ? {} : { merged_into: record.mergedInto }),
  };
}

function records({ sim, query }: ControlCall): Answer {
  const portalId = queryNumber(query, 'portal_id');
  const name = query.get('object_type');
  const property = query.get('property');
  const value = query.get('value');
  if (property === null && value !== null) throw new BadInput('property', 'is needed with value');
  const portals = portalId === undefined ? [...sim.portals.values()] : [requirePortal(sim, portalId)];
  const typesOf = (portal: PortalState): ObjectType[] => {
    if (name === null) return [...portal.types];
    const type = portal.typeNamed(name);
    return type ? [type] : [];
  };
  if (name !== null && portals.every((portal) => typesOf(portal).length === 0))
    throw new BadInput('object_type', `${name} is not an object type`);
  const fits = (type: ObjectType, record: CrmRecord): boolean => {
    if (property === null) return true;
    const held = propertyOf(type, record, property);
    return value === null ? held !== undefined : held === value;
  };
  const items = portals.flatMap((portal) =>
    typesOf(portal).flatMap((type) =>
      [...portal.space(type).store.records.values()]
        .filter((record) => fits(type, record))
        .map((record) => presentSimRecord(portal, type, record)),
    ),
  );
  return answer(200, { items, total: items.length });
}

/** The routes that show calls, counters and records (docs/reference/crm-simulator.md). */
export const observeControl: readonly ControlRoute[] = [
  { method: 'GET', path: '/_sim/calls', handle: calls },
  { method: 'GET', path: '/_sim/stats', handle: stats },
  { method: 'GET', path: '/_sim/records', handle: records },
];
