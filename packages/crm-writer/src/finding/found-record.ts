import type { CrmRecord, FoundRecord } from '@sluice/ports';

/**
 * A record as a step that asked for some properties gets it: these and no others, null where it has no value. The CRM adds
 * properties of its own, leaves out those without a value, and a read that was shared has what others asked for.
 */
export function foundRecord({ id, properties }: Pick<CrmRecord, 'id' | 'properties'>, asked: readonly string[]): FoundRecord {
  const given = (name: string): string | null => (Object.hasOwn(properties, name) ? (properties[name] ?? null) : null);
  return { crm_id: id, properties: Object.fromEntries(asked.map((name) => [name, given(name)])) };
}
