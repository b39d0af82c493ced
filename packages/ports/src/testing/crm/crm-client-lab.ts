import type { CrmBatchAnswer, CrmClient, CrmRecord, CrmWriteInput } from '../../crm/crm-client';
import type { CallOptions, CrmAccess, CrmResult } from '../../crm/crm-call';
import type { PropertyValue } from '@sluice/contracts';

/** What goes wrong with calls: an answer in place of the CRM's, a cut connection, a delay. */
export interface CrmTrouble {
  /** Answered in place of the CRM's own status, with `body` and Retry-After. A 2xx stands for a page that is not the CRM's. */
  status?: number;
  body?: unknown;
  retryAfterS?: number;
  /** The connection is cut instead of an answer. */
  cut?: boolean;
  /** The CRM takes so long, milliseconds; with nothing else, the call then goes well. */
  delayMs?: number;
  /** The CRM does the work all the same before the call fails. */
  landed?: boolean;
  /** How many calls it hits; default all, until it is taken away. */
  times?: number;
}

/** What the suite needs of an implementation: a client, a portal of its own behind it, and a hand on that portal. */
export interface CrmClientLab {
  client: CrmClient;
  access: CrmAccess;
  refreshToken: string;
  /** A code as the CRM gives it when its app is installed in the portal. */
  installCode(): Promise<string>;
  /** Empties the portal; troubles, limits and lag are gone, calls are counted from 0. */
  reset(): Promise<void>;
  /** From now on; null takes it away. */
  trouble(trouble: CrmTrouble | null): Promise<void>;
  /** Calls that reached the CRM. */
  calls(): Promise<number>;
  limit(limits: { callsPer10s?: number; searchesPerS?: number }): Promise<void>;
  searchLag(ms: number): Promise<void>;
  /** An administrator sets how many partners a record may have by an association type. */
  limitPartners(fromType: string, toType: string, typeId: number, max: number): Promise<void>;
  /** Edits of a person. */
  archive(objectType: string, id: string): Promise<void>;
  merge(objectType: string, survivorId: string, loserId: string): Promise<void>;
  edit(objectType: string, id: string, properties: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export const inTime: CallOptions = { timeoutMs: 10_000 };

/** The value of a call that must have gone well. */
export function valueOf<T>(answer: CrmResult<T>): T {
  if (!answer.ok) throw new Error(`${answer.status} ${answer.code}: ${answer.message}`);
  return answer.value;
}

export const written = (traceId: string, properties: Record<string, PropertyValue>): CrmWriteInput => ({ traceId, properties });

/** The result of one input, as every caller finds it: by trace id, else by what identifies the record; never by position. */
export function resultFor(answer: CrmBatchAnswer, traceId: string, key: (record: CrmRecord) => boolean): CrmRecord | undefined {
  return (
    answer.results.find((record) => record.traceId === traceId) ??
    answer.results.find((record) => record.traceId === undefined && key(record))
  );
}

/** Creates one record per entry and answers their ids in the same order. `identity`: a property whose values differ. */
export async function createRecords(
  lab: CrmClientLab,
  objectType: string,
  identity: string,
  ...entries: Record<string, string>[]
): Promise<string[]> {
  const answer = valueOf(
    await lab.client.batchCreate(
      lab.access,
      objectType,
      entries.map((properties, index) => written(`t${index}`, properties)),
      inTime,
    ),
  );
  return entries.map((properties, index) => {
    const found = resultFor(answer, `t${index}`, (record) => record.properties[identity] === properties[identity]);
    if (!found) throw new Error(`no result for ${identity} ${properties[identity]}`);
    return found.id;
  });
}

export const createContacts = (lab: CrmClientLab, ...emails: string[]): Promise<string[]> =>
  createRecords(lab, 'contacts', 'email', ...emails.map((email) => ({ email })));

/** Properties of one record as a read by its id shows them. */
export async function readOne(
  lab: CrmClientLab,
  objectType: string,
  id: string,
  ...properties: string[]
): Promise<Record<string, string | null>> {
  const { results } = valueOf(await lab.client.batchRead(lab.access, objectType, { ids: [id], properties }, inTime));
  return Object.fromEntries(properties.map((name) => [name, results[0]?.properties[name] || null]));
}
