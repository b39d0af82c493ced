import type { CallFailure, CrmBatchAnswer, CrmClient, CrmItemError, CrmRecord, CrmResult, CrmWriteInput } from '@sluice/ports';
import type { CallFault, CrmLog, FaultKind, LandedWrite, Subject } from './crm-log';
import type { Connected } from './connected';
import type { Prng } from './prng';
import type { Scenario } from './scenario';
import type { Clock } from './virtual-time';

/** A record as the simulated CRM keeps it. */
export interface SimRecord {
  id: string;
  properties: Record<string, string>;
  createdAt: number;
  /** From when on a search finds it. */
  visibleAt: number;
}

/** The CRM as the outside of the simulation: slow, failing, with a search index that lags, and a log of what landed. */
export interface SimCrm {
  readonly log: CrmLog;
  /** Records of a type in a portal. */
  records(portal: string, objectType: string): SimRecord[];
  /** Somebody deletes a record in the CRM. */
  remove(portal: string, objectType: string, id: string): void;
  /** A portal answers every call with 500 until then. */
  outage(portal: string, until: number): void;
  /** From now on nothing fails. */
  calm(): void;
  /** The CRM as one process sees it. Once that is gone, what it sent still lands, but nobody hears the answer. */
  clientFor(caller: CrmCaller): CrmClient;
}

/** The process that calls. */
export type CrmCaller = Pick<Connected, 'name' | 'alive' | 'awake' | 'cutOff'>;

type Fate = 'well' | CallFault;
type Access = Parameters<CrmClient['batchUpdate']>[0];

/** The longest a search goes on not seeing a new record. */
export const crmSearchLagMs = 4_000;
/** A call lands at the latest so long after it was sent, whatever became of its answer. */
export const crmLateWriteMs = 5_000;
const never = new Promise<never>(() => undefined);
const failed = (kind: CallFailure['kind'], code: CallFailure['code'], status: number, retryAfterMs?: number): CrmResult<never> => ({
  ok: false, kind, code, message: `the simulated CRM: ${code}`, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const itemError = (category: string, input: CrmWriteInput): CrmItemError => ({ category, subCategory: null, message: category, traceIds: [input.traceId], ids: [], context: {} });
const numberOf = (properties: Record<string, unknown>): number => Number(properties['firstname'] ?? properties['amount']);
const ok = <T>(value: T): CrmResult<T> => ({ ok: true, value, status: 200 });
const everybody: Subject = { numbers: [], records: [], shared: true };

/** The property that tells records of a type apart, in the simulated configs. */
export const identityProperty: Record<string, string> = { contacts: 'email', deals: 'description' };

export function createSimCrm(clock: Clock, prng: Prng, { crmFaults, crmFates }: Pick<Scenario, 'crmFaults' | 'crmFates'>): SimCrm {
  const tables = new Map<string, Map<string, SimRecord>>();
  const log: CrmLog = { writes: [], faults: [], deleted: new Map(), idsOf: new Map(), associations: new Set() };
  const removed = new Map<string, SimRecord>();
  const downUntil = new Map<string, number>();
  let quiet = false;
  let lastId = 100;

  const table = ({ portalId }: Pick<Access, 'portalId'>, objectType: string): Map<string, SimRecord> => {
    const key = `${portalId} ${objectType}`;
    let records = tables.get(key);
    if (!records) tables.set(key, (records = new Map()));
    return records;
  };
  const fault = (kind: FaultKind, about: Subject): void => void log.faults.push({ at: clock.now(), heardAt: null, kind, about });
  const rollFate = (portal: string | null): Fate => {
    if (quiet) return 'well';
    if (portal !== null && (downUntil.get(portal) ?? 0) > clock.now()) return 'before';
    return prng.chance(crmFaults) ? prng.pick(crmFates) : 'well';
  };
  /** A call that lands after its sender gave up; at once when that is disturbed: for such a sender no promise holds. */
  const landLate = async ({ alive, awake, cutOff }: CrmCaller, sentAt: number, land: () => unknown): Promise<void> => {
    const due = Math.max(clock.now(), sentAt + prng.int(crmLateWriteMs));
    while (clock.now() < due && alive() && !awake() && !cutOff()) await clock.sleep(Math.min(100, due - clock.now()));
    land();
  };
  /** @param portal null: the call is one of all portals */
  const call = async <T>(
    caller: CrmCaller, portal: string | null, about: Subject, work: () => CrmResult<T>,
  ): Promise<CrmResult<T>> => {
    const { alive, awake, name } = caller;
    if (!alive()) return never;
    const sentAt = clock.now();
    const fate = rollFate(portal);
    const landed: LandedWrite[] = [];
    const land = (): CrmResult<T> => {
      const first = log.writes.length;
      const answer = work();
      for (const write of log.writes.slice(first)) landed.push(Object.assign(write, { sentAt, late: fate === 'late', by: name }));
      return answer;
    };
    await clock.sleep(1 + prng.int(prng.chance(0.1) ? 1_500 : 60));
    const lost = (): CrmResult<never> => failed('transient', 'crm_unreachable', 0);
    const answers: Record<Fate, () => CrmResult<T>> = {
      well: land, late: lost,
      before: () => failed('transient', 'crm_unavailable', 500),
      after: () => { land(); return lost(); },
      limited: () => failed('transient', 'crm_rate_limited', 429, 100 + prng.int(4_000)),
      unauthorized: () => failed('fatal', 'crm_unauthorized', 401),
      forbidden: () => failed('fatal', 'crm_forbidden', 403),
    };
    const firstFault = log.faults.length;
    if (fate !== 'well') fault(fate, about);
    const answer = answers[fate]();
    const faults = log.faults.slice(firstFault);
    await clock.sleep(1 + prng.int(prng.chance(0.1) ? 1_500 : 60));
    if (fate === 'late') void landLate(caller, sentAt, land);
    await awake();
    if (!alive()) {
      fault('died', about);
      return never;
    }
    for (const one of faults) one.heardAt = clock.now();
    if (fate === 'well') for (const write of landed) write.heardAt = clock.now();
    return answer;
  };

  const shown = (record: SimRecord, traceId?: string): CrmRecord => ({
    id: record.id, properties: { ...record.properties }, archived: false, createdAt: '', updatedAt: '', ...(traceId === undefined ? {} : { traceId }),
  });
  const noteIdentity = (portalId: string, objectType: string, { id, properties }: SimRecord): void => {
    const key = `${portalId} ${objectType}/${properties[identityProperty[objectType]!]}`;
    const name = `${portalId} ${objectType}/${id}`;
    const ids = log.idsOf.get(key) ?? [];
    if (!ids.includes(name)) log.idsOf.set(key, [...ids, name]);
  };
  const write = ({ portalId }: Access, objectType: string, record: SimRecord, properties: CrmWriteInput['properties']): void => {
    for (const [name, value] of Object.entries(properties)) record.properties[name] = String(value);
    noteIdentity(portalId, objectType, record);
    const name = `${portalId} ${objectType}/${record.id}`;
    log.writes.push({ sentAt: 0, at: clock.now(), heardAt: null, late: false, by: '', record: name, n: numberOf(properties) });
  };
  const make = (access: Access, objectType: string): SimRecord => {
    const now = clock.now();
    const id = String((lastId += 1));
    const record: SimRecord = { id, properties: {}, createdAt: now, visibleAt: now + prng.int(crmSearchLagMs) };
    table(access, objectType).set(record.id, record);
    return record;
  };
  /** Values named `poison-<how>...` make trouble: a 500 or a 400 for the whole batch, or an error of their own. */
  const trouble = (inputs: readonly CrmWriteInput[]): CrmResult<never> | null => {
    const text = JSON.stringify(inputs.map((input) => input.properties));
    if (text.includes('poison-500')) return failed('transient', 'crm_unavailable', 500);
    return text.includes('poison-400') ? failed('permanent', 'crm_rejected', 400) : null;
  };
  const each = <I extends CrmWriteInput>(
    inputs: readonly I[], about: Subject, one: (input: I) => CrmRecord | CrmItemError,
  ): CrmResult<CrmBatchAnswer> => {
    const refused = trouble(inputs);
    if (refused) {
      fault('poison', about);
      return refused;
    }
    const answer: CrmBatchAnswer = { results: [], errors: [] };
    for (const input of inputs) {
      const said = JSON.stringify(input.properties).includes('poison-207') ? itemError('VALIDATION_ERROR', input) : one(input);
      if ('category' in said) answer.errors.push(said);
      else answer.results.unshift(said);
    }
    return { ok: true, value: answer, status: answer.errors.length > 0 ? 207 : 200 };
  };
  /** Ids and values alike: a record is known by its id and by its identity value. */
  const named = (
    access: Access, objectType: string, values: readonly string[], inputs: readonly Pick<CrmWriteInput, 'properties'>[] = [],
  ): Subject => {
    const identity = identityProperty[objectType]!;
    const known = (id: string): SimRecord | undefined => table(access, objectType).get(id) ?? removed.get(id);
    const texts = values.map((value) => known(value)?.properties[identity] ?? value);
    const records = texts.map((value) => `${access.portalId} ${objectType}/${value}`.toLowerCase());
    return { numbers: inputs.map(({ properties }) => numberOf(properties)), records };
  };
  const written = (access: Access, objectType: string, inputs: readonly CrmWriteInput[]): Subject =>
    named(access, objectType, inputs.map(({ properties }) => String(properties[identityProperty[objectType]!])), inputs);
  const onlyOnce = (what: string, keys: readonly string[]): void => {
    if (new Set(keys).size !== keys.length) throw new Error(`batch: two writes to one record share a ${what}: ${keys.join(', ')}`);
  };
  const notSimulated = (): never => { throw new Error('not part of the simulation'); };

  return {
    log,
    records: (portalId, objectType) => [...table({ portalId }, objectType).values()],
    remove: (portalId, objectType, id) => {
      removed.set(id, table({ portalId }, objectType).get(id)!);
      table({ portalId }, objectType).delete(id);
      log.deleted.set(`${portalId} ${objectType}/${id}`, clock.now());
    },
    outage: (portal, until) => void downUntil.set(portal, until),
    calm: () => { quiet = true; },
    clientFor: (caller) => ({
      batchRead: (access, objectType, { ids, idProperty }) => call(caller, access.portalId, named(access, objectType, ids), () => {
        const idOf = ({ id, properties }: SimRecord): string => (idProperty ? (properties[idProperty] ?? '') : id);
        const found = [...table(access, objectType).values()].filter((record) => ids.includes(idOf(record)));
        return { ok: true, value: { results: found.map((record) => shown(record)), errors: [] }, status: 200 };
      }),
      batchCreate: (access, objectType, inputs) => {
        const about = written(access, objectType, inputs);
        return call(caller, access.portalId, about, () => each(inputs, about, (input) => {
          const record = make(access, objectType);
          write(access, objectType, record, input.properties);
          return shown(record, input.traceId);
        }));
      },
      batchUpdate: (access, objectType, inputs) => {
        onlyOnce('update', inputs.map((input) => input.id));
        const about = named(access, objectType, inputs.map((input) => input.id), inputs);
        return call(caller, access.portalId, about, () => each(inputs, about, (input) => {
          const record = table(access, objectType).get(input.id);
          // Only where another record under the same identity is out of the question: the CRM keeps it unique.
          const isHidden = objectType === 'contacts' && !quiet && prng.chance(0.01);
          if (!record || isHidden) {
            fault('missing', named(access, objectType, [input.id], [input]));
            return itemError('OBJECT_NOT_FOUND', input);
          }
          write(access, objectType, record, input.properties);
          return shown(record);
        }));
      },
      batchUpsert: (access, objectType, idProperty, inputs) => {
        onlyOnce('upsert', inputs.map((input) => input.id));
        const about = named(access, objectType, inputs.map((input) => input.id), inputs);
        return call(caller, access.portalId, about, () => each(inputs, about, (input) => {
          const value = input.id;
          const known = [...table(access, objectType).values()].find((record) => record.properties[idProperty] === value);
          const record = known ?? make(access, objectType);
          write(access, objectType, record, { ...input.properties, [idProperty]: value });
          return { ...shown(record, input.traceId), isNew: !known };
        }));
      },
      search: (access, objectType, search) => {
        const filter = search.filterGroups[0]!.filters[0]!;
        const values = (filter.values ?? [filter.value!]).map((value) => value.toLowerCase());
        return call(caller, access.portalId, named(access, objectType, filter.values ?? [filter.value!]), () => {
          const isFound = ({ visibleAt, properties }: SimRecord): boolean =>
            visibleAt <= clock.now() && values.includes((properties[filter.propertyName] ?? '').toLowerCase());
          const results = [...table(access, objectType).values()].filter(isFound).map((record) => shown(record));
          return { ok: true, value: { results, total: results.length, after: null }, status: 200 };
        });
      },
      associationTypes: (access) => call(caller, access.portalId, everybody, () => ok([{ category: 'HUBSPOT_DEFINED', typeId: 3, label: null }])),
      batchAssociateDefault: (access, fromType, toType, inputs) => {
        const from = named(access, fromType, inputs.map(({ fromId }) => fromId));
        const to = named(access, toType, inputs.map(({ toId }) => toId));
        const about = { numbers: [], records: [...from.records, ...to.records] };
        return call(caller, access.portalId, about, () => {
          const nameOf = (type: string, id: string): string => `${access.portalId} ${type}/${id}`;
          for (const { fromId, toId } of inputs) log.associations.add(`${nameOf(fromType, fromId)}>${nameOf(toType, toId)}`);
          return { ok: true, value: { done: inputs.length, errors: [] }, status: 200 };
        });
      },
      properties: (access) => call(caller, access.portalId, everybody, () => ok([])),
      refreshToken: () => call(caller, null, everybody, () => ok({ accessToken: 'fresh', refreshToken: 'refresh', expiresInS: 1_800 })),
      batchAssociate: notSimulated, batchReadAssociations: notSimulated, batchArchiveAssociations: notSimulated, batchArchiveLabels: notSimulated,
      batchArchive: notSimulated, createProperties: notSimulated, updatePropertyOptions: notSimulated,
      propertyGroups: notSimulated, createPropertyGroup: notSimulated, introspect: notSimulated,
      objectSchema: notSimulated, createObjectSchema: notSimulated, pipelines: notSimulated, createPipeline: notSimulated,
      createPipelineStage: notSimulated,
    }),
  };
}
