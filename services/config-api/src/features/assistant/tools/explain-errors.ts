import { type FailureCode, failureCodes } from '@sluice/contracts';
import { getSyncEvents } from '../../records/get-sync-events';
import type { AssistantTool } from './assistant-tool';

interface Row {
  flow_name: string | null;
  step_id: string | null;
  entity_name: string | null;
  action: string | null;
  status: string;
  error_kind: string | null;
  error_code: string | null;
  reason: string | null;
  created_at: string;
}

/** Statuses of records that need attention, and the newest rows that are read of each. */
const [statuses, mostRows] = [['failed', 'parked', 'partial_success', 'dlq', 'quarantined'], 100] as const;

/** Why records fail: by flow, step and code. Texts of the CRM and of destinations, and external ids, stay here. */
export const explainErrors: AssistantTool = {
  name: 'explain_errors',
  description: 'Why records failed recently, grouped by flow, step and error code, with the meaning of each code. `since` is a time (ISO 8601).',
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: { since: { type: 'string', format: 'date-time' } },
  },
  run: async ({ deps, api, connectorId }, { since }) => {
    const groups = new Map<string, ReturnType<typeof groupOf>>();
    for (const status of statuses) {
      const query = { status, limit: mostRows, ...(since === undefined ? {} : { since }) };
      const page = (await api.call(getSyncEvents(deps), { params: { connector_id: connectorId }, query })) as { items: Row[] };
      for (const row of page.items) add(groups, row);
    }
    return { errors: [...groups.values()].sort((one, other) => other.count - one.count) };
  },
};

function add(groups: Map<string, ReturnType<typeof groupOf>>, row: Row): void {
  const key = JSON.stringify([row.flow_name, row.step_id, row.entity_name, row.action, row.status, row.error_code, row.reason]);
  const group = groups.get(key) ?? groupOf(row);
  groups.set(key, group);
  group.count += 1;
  if (row.created_at < group.first_seen) group.first_seen = row.created_at;
  if (row.created_at > group.last_seen) group.last_seen = row.created_at;
}

const groupOf = ({ flow_name, step_id, entity_name, action, status, error_kind, error_code, reason, created_at }: Row) => ({
  flow: flow_name, step: step_id, entity: entity_name, action, status, error_kind, error_code, reason,
  meaning: failureCodes[error_code as FailureCode] ?? null, count: 0, first_seen: created_at, last_seen: created_at,
});
