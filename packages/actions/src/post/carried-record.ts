import { idText, type CompiledEntity, type FlowContext, type RecordReads } from '@sluice/flow-engine';
import type { CarriedRecord, PropertyValue } from '@sluice/ports';

/** The part of a journal event with its record. */
interface JournalPayload {
  object?: { id?: unknown; type?: unknown; properties?: unknown } | null;
  changed?: unknown;
}

/**
 * The values of the event's record that a request carries: the same values coming back from the destination are an echo
 * (docs/reference/echoes.md). null: the event is none of the journal, or its flow has no `freshness_check`.
 */
export function carriedRecord(
  ctx: FlowContext,
  entity: CompiledEntity | undefined,
  reads: readonly RecordReads[],
): CarriedRecord | null {
  if (ctx.outbound === null) return null;
  const { object } = journalPayload(ctx);
  const crmId = idText(object?.id);
  const objectType = idText(object?.type) ?? entity?.objectType ?? null;
  if (crmId === null || objectType === null) return null;
  const held = Object.entries(object?.properties ?? {}) as [string, unknown][];
  const isRead = (property: string): boolean => reads.some(({ all, names }) => all || names.has(property));
  const read = held.filter(([name, value]) => isRead(name) && isScalar(value));
  if (read.length === 0) return null;
  const changed = changedProperties(ctx);
  const properties = Object.fromEntries(read) as Record<string, PropertyValue>;
  return { objectType, crmId, properties, ...(changed
    && { changed: Object.keys(properties).filter((name) => changed.has(name)) }) };
}

/** The properties that the event changed; null when the event does not list them, and for a new record. */
export function changedProperties(ctx: FlowContext): ReadonlySet<string> | null {
  const { changed } = journalPayload(ctx);
  if (ctx.event_type.endsWith('.create') || !Array.isArray(changed)) return null;
  return new Set(changed.filter((name): name is string => typeof name === 'string'));
}

const journalPayload = ({ payload }: FlowContext): JournalPayload =>
  payload !== null && typeof payload === 'object' ? payload : {};

const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);
