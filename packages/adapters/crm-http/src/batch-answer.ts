import { type CrmBatchAnswer, type CrmChange, type CrmItemError, type CrmRecord, uniqueValueHolder } from '@sluice/ports';

/** A record as the CRM sends it: every field may be missing (docs/reference/crm-api.md). */
export interface WireRecord {
  id?: string | number;
  properties?: Record<string, string | null>;
  archived?: boolean;
  createdAt?: string;
  updatedAt?: string;
  new?: boolean;
  objectWriteTraceId?: string;
  /** Newest value first. */
  propertiesWithHistory?: Record<string, WireValue[]>;
}

interface WireValue {
  timestamp?: string;
  sourceType?: string;
  sourceId?: string;
}

interface WireItemError {
  category?: string;
  subCategory?: string;
  message?: string;
  id?: string;
  context?: Record<string, string[]>;
}

export interface WireBatch {
  results?: WireRecord[];
  errors?: WireItemError[];
}

/** A wire record with ids as text and no field missing. */
export function toCrmRecord(record: WireRecord): CrmRecord {
  return {
    id: String(record.id ?? ''),
    properties: record.properties ?? {},
    archived: record.archived ?? false,
    createdAt: record.createdAt ?? '',
    updatedAt: record.updatedAt ?? '',
    ...(record.propertiesWithHistory && { lastChanges: toLastChanges(record.propertiesWithHistory) }),
    ...(record.new === undefined ? {} : { isNew: record.new }),
    ...(record.objectWriteTraceId === undefined ? {} : { traceId: record.objectWriteTraceId }),
  };
}

function toLastChanges(history: Record<string, WireValue[]>): Record<string, CrmChange> {
  const changes = Object.entries(history).flatMap(([name, [newest]]) =>
    newest === undefined
      ? []
      : [[name, { at: newest.timestamp ?? '', sourceType: newest.sourceType ?? '', sourceId: newest.sourceId ?? null }] as const],
  );
  return Object.fromEntries(changes);
}

function toItemError(error: WireItemError): CrmItemError {
  const context = error.context ?? {};
  const message = error.message ?? 'the CRM refused the input without saying why';
  const holderId = uniqueValueHolder(message);
  return {
    category: error.category ?? 'UNKNOWN',
    subCategory: error.subCategory ?? null,
    message,
    traceIds: context['objectWriteTraceId'] ?? [],
    ids: context['ids'] ?? (error.id ? [error.id] : []),
    ...(holderId === undefined ? {} : { holderId }),
    context,
  };
}

export const toItemErrors = (errors: WireItemError[] | undefined): CrmItemError[] => (errors ?? []).map(toItemError);

/** A batch answer (200, 201 or 207). Order of results is not the order of inputs. */
export function toBatchAnswer(batch: WireBatch | undefined): CrmBatchAnswer {
  return { results: (batch?.results ?? []).map(toCrmRecord), errors: toItemErrors(batch?.errors) };
}
