import type { CrmRecord } from './record-store';

const sourceOf = { api: { sourceType: 'INTEGRATION', sourceId: '1' }, user: { sourceType: 'CRM_UI' } } as const;

/**
 * The values a property has had, newest first; writes that changed nothing are not in it (docs/reference/crm-api.md, Writing).
 */
export function valueHistory(record: CrmRecord, name: string): Record<string, unknown>[] {
  const entries: Record<string, unknown>[] = [];
  let last: string | undefined;
  for (const { at, actor, properties } of record.log) {
    const value = properties[name];
    if (value === undefined || value === last) continue;
    last = value;
    const userId = actor.user !== undefined && /^\d+$/.test(actor.user) ? Number(actor.user) : undefined;
    entries.push({
      value,
      timestamp: new Date(at).toISOString(),
      ...sourceOf[actor.source],
      ...(actor.user === undefined ? {} : { sourceId: `userId:${actor.user}`, sourceLabel: actor.user }),
      ...(userId === undefined ? {} : { updatedByUserId: userId }),
    });
  }
  return entries.reverse();
}
