import type { CallFailure, CrmBatchAnswer, CrmClient, CrmItemError, CrmRecord, CrmResult, CrmWriteInput } from '@sluice/ports';
import type { Prng } from './prng';
import type { Connected } from './connected';
import type { Clock } from './virtual-time';

/** One write that landed: which event's number it carried. */
export interface LandedWrite {
  at: number;
  objectType: string;
  id: string;
  n: number;
}

interface SimRecord {
  id: string;
  properties: Record<string, string>;
  visibleAt: number;
}

/** The CRM as the outside of the simulation: slow, failing, with a search index that lags, and a log of what landed. */
export interface SimCrm {
  readonly writes: LandedWrite[];
  /** Records of a type. */
  records(objectType: string): SimRecord[];
  readonly failures: number;
  /** From now on nothing fails. */
  calm(): void;
  /** The CRM as one process sees it. Once that is gone, what it sent still lands, but nobody hears the answer. */
  clientFor(caller: Pick<Connected, 'alive' | 'awake'>): CrmClient;
}

type Fate = 'well' | 'before' | 'after' | 'limited' | 'unauthorized' | 'forbidden';

/** The longest a search goes on not seeing a new record. */
export const crmSearchLagMs = 4_000;
const never = new Promise<never>(() => undefined);
const failed = (kind: CallFailure['kind'], code: string, status: number, retryAfterMs?: number): CrmResult<never> => ({
  ok: false, kind, code, message: `the simulated CRM: ${code}`, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const itemError = (category: string, input: CrmWriteInput): CrmItemError => ({ category, subCategory: null, message: category, traceIds: [input.traceId], ids: [], context: {} });
const numberOf = (properties: Record<string, unknown>): number => Number(properties['firstname'] ?? properties['amount']);

export function createSimCrm(clock: Clock, prng: Prng): SimCrm {
  const types = new Map<string, Map<string, SimRecord>>();
  const writes: LandedWrite[] = [];
  let quiet = false;
  let failures = 0;
  let lastId = 100;

  const table = (objectType: string): Map<string, SimRecord> => {
    let records = types.get(objectType);
    if (!records) types.set(objectType, (records = new Map()));
    return records;
  };
  const rollFate = (): Fate => {
    if (quiet || prng.chance(0.8)) return 'well';
    failures += 1;
    return prng.pick<Fate>(['before', 'before', 'before', 'after', 'after', 'after', 'limited', 'unauthorized', 'forbidden']);
  };
  const call = async <T>({ alive, awake }: Parameters<SimCrm['clientFor']>[0], work: () => CrmResult<T>): Promise<CrmResult<T>> => {
    if (!alive()) return never;
    const fate = rollFate();
    await clock.sleep(1 + prng.int(prng.chance(0.1) ? 1_500 : 60));
    const answers: Record<Fate, () => CrmResult<T>> = {
      well: work,
      before: () => failed('transient', 'crm_unavailable', 500),
      after: () => { work(); return failed('transient', 'crm_unreachable', 0); },
      limited: () => failed('transient', 'crm_rate_limited', 429, 100 + prng.int(4_000)),
      unauthorized: () => failed('fatal', 'crm_unauthorized', 401),
      forbidden: () => failed('fatal', 'crm_forbidden', 403),
    };
    const answer = answers[fate]();
    await clock.sleep(1 + prng.int(prng.chance(0.1) ? 1_500 : 60));
    await awake();
    return alive() ? answer : never;
  };

  const shown = (record: SimRecord, traceId?: string): CrmRecord => ({
    id: record.id, properties: { ...record.properties }, archived: false, createdAt: '', updatedAt: '', ...(traceId === undefined ? {} : { traceId }),
  });
  const write = (objectType: string, record: SimRecord, properties: CrmWriteInput['properties']): void => {
    for (const [name, value] of Object.entries(properties)) record.properties[name] = String(value);
    writes.push({ at: clock.now(), objectType, id: record.id, n: numberOf(properties) });
  };
  const make = (objectType: string): SimRecord => {
    const record: SimRecord = { id: String((lastId += 1)), properties: {}, visibleAt: clock.now() + prng.int(crmSearchLagMs) };
    table(objectType).set(record.id, record);
    return record;
  };
  /** Values named `poison-<how>...` make trouble: a 500 or a 400 for the whole batch, or an error of their own. */
  const trouble = (inputs: readonly CrmWriteInput[]): CrmResult<never> | null => {
    const text = JSON.stringify(inputs.map((input) => input.properties));
    if (text.includes('poison-500')) return failed('transient', 'crm_unavailable', 500);
    return text.includes('poison-400') ? failed('permanent', 'crm_rejected', 400) : null;
  };
  const each = <I extends CrmWriteInput>(inputs: readonly I[], one: (input: I) => CrmRecord | CrmItemError): CrmResult<CrmBatchAnswer> => {
    const refused = trouble(inputs);
    if (refused) return refused;
    const answer: CrmBatchAnswer = { results: [], errors: [] };
    for (const input of inputs) {
      const said = JSON.stringify(input.properties).includes('poison-207') ? itemError('VALIDATION_ERROR', input) : one(input);
      if ('category' in said) answer.errors.push(said);
      else answer.results.unshift(said);
    }
    return { ok: true, value: answer, status: answer.errors.length > 0 ? 207 : 200 };
  };
  const onlyOnce = (what: string, keys: readonly string[]): void => {
    if (new Set(keys).size !== keys.length) throw new Error(`batch: two writes to one record share a ${what}: ${keys.join(', ')}`);
  };
  const notSimulated = (): never => { throw new Error('not part of the simulation'); };

  return {
    writes,
    records: (objectType) => [...table(objectType).values()],
    get failures() { return failures; },
    calm: () => { quiet = true; },
    clientFor: (caller) => ({
      batchRead: (_access, objectType, { ids, idProperty }) => call(caller, () => {
        const found = [...table(objectType).values()].filter((record) => ids.includes(idProperty ? (record.properties[idProperty] ?? '') : record.id));
        return { ok: true, value: { results: found.map((record) => shown(record)), errors: [] }, status: 200 };
      }),
      batchCreate: (_access, objectType, inputs) => call(caller, () => each(inputs, (input) => {
        const record = make(objectType);
        write(objectType, record, input.properties);
        return shown(record, input.traceId);
      })),
      batchUpdate: (_access, objectType, inputs) => {
        onlyOnce('update', inputs.map((input) => input.id));
        return call(caller, () => each(inputs, (input) => {
          const record = table(objectType).get(input.id);
          if (!record || (!quiet && prng.chance(0.01))) return itemError('OBJECT_NOT_FOUND', input);
          write(objectType, record, input.properties);
          return shown(record);
        }));
      },
      batchUpsert: (_access, objectType, idProperty, inputs) => {
        onlyOnce('upsert', inputs.map((input) => input.id));
        return call(caller, () => each(inputs, (input) => {
          const value = input.id;
          const known = [...table(objectType).values()].find((record) => record.properties[idProperty] === value);
          const record = known ?? make(objectType);
          write(objectType, record, { ...input.properties, [idProperty]: value });
          return { ...shown(record, input.traceId), isNew: !known };
        }));
      },
      search: (_access, objectType, search) => call(caller, () => {
        const filter = search.filterGroups[0]!.filters[0]!;
        const values = (filter.values ?? [filter.value!]).map((value) => value.toLowerCase());
        const found = [...table(objectType).values()].filter((record) => record.visibleAt <= clock.now() && values.includes((record.properties[filter.propertyName] ?? '').toLowerCase()));
        return { ok: true, value: { results: found.map((record) => shown(record)), total: found.length, after: null }, status: 200 };
      }),
      associationTypes: () => call(caller, () => ({ ok: true, value: [{ category: 'HUBSPOT_DEFINED', typeId: 3, label: null }], status: 200 })),
      batchAssociateDefault: (_access, _from, _to, inputs) => call(caller, () => ({ ok: true, value: { done: inputs.length, errors: [] }, status: 200 })),
      properties: () => call(caller, () => ({ ok: true, value: [], status: 200 })),
      refreshToken: () => call(caller, () => ({ ok: true, value: { accessToken: 'fresh', refreshToken: 'refresh', expiresInS: 1_800 }, status: 200 })),
      batchAssociate: notSimulated, batchReadAssociations: notSimulated, batchArchiveAssociations: notSimulated, createProperties: notSimulated, updatePropertyOptions: notSimulated,
      propertyGroups: notSimulated, createPropertyGroup: notSimulated, introspect: notSimulated,
    }),
  };
}
