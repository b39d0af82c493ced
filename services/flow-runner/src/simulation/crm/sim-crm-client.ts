import type { CrmAccess, CrmBatchAnswer, CrmClient, CrmItemError, CrmRecord, CrmResult, CrmWriteInput } from '@sluice/ports';
import type { Subject } from '../crm-log';
import type { Prng } from '../time/prng';
import { type CrmCaller, failed, type SimCrmCalls } from './sim-crm-calls';
import { identityProperty, shown, type SimCrmRecords, type SimRecord } from './sim-crm-records';
import type { Clock } from '../time/virtual-time';

type BatchResult = CrmResult<CrmBatchAnswer>;

export interface SimCrmParts {
  clock: Clock;
  prng: Prng;
  records: SimCrmRecords;
  calls: SimCrmCalls;
}

const everybody: Subject = { numbers: [], records: [], shared: true };
const ok = <T>(value: T): CrmResult<T> => ({ ok: true, value, status: 200 });
const itemError = (category: string, input: CrmWriteInput): CrmItemError => ({
  category,
  subCategory: null,
  message: category,
  traceIds: [input.traceId],
  ids: [],
  context: {},
});

/** Values named `poison-<how>...` cause errors: a 500 or a 400 for the whole batch, or an error of their input. */
const trouble = (inputs: readonly CrmWriteInput[]): CrmResult<never> | null => {
  const text = JSON.stringify(inputs.map(namedValues));
  if (text.includes('poison-500')) return failed('transient', 'crm_unavailable', 500);
  return text.includes('poison-400') ? failed('permanent', 'crm_rejected', 400) : null;
};

/** The identity of an upsert need not be among its properties. */
const namedValues = (input: CrmWriteInput & { id?: string }): unknown[] => [input.id, input.properties];

const onlyOnce = (what: string, keys: readonly string[]): void => {
  if (new Set(keys).size !== keys.length) throw new Error(`batch: two writes to one record share a ${what}: ${keys.join(', ')}`);
};

const notSimulated = (): never => {
  throw new Error('not part of the simulation');
};

/** The simulated CRM as one process sees it: the calls that the simulated flows make. */
export function simCrmClient(parts: SimCrmParts, caller: CrmCaller): CrmClient {
  const shared = <T>(portal: string | null, value: T) => parts.calls.call(caller, portal, everybody, () => ok(value));
  const simulated: Partial<CrmClient> = {
    batchRead: batchRead(parts, caller),
    batchCreate: batchCreate(parts, caller),
    batchUpdate: batchUpdate(parts, caller),
    batchUpsert: batchUpsert(parts, caller),
    batchArchive: batchArchive(parts, caller),
    search: search(parts, caller),
    batchAssociateDefault: associate(parts, caller),
    associationTypes: ({ portalId }) => shared(portalId, [{ category: 'HUBSPOT_DEFINED', typeId: 3, label: null }]),
    properties: ({ portalId }) => shared(portalId, []),
    refreshToken: () => shared(null, { accessToken: 'fresh', refreshToken: 'refresh', expiresInS: 1_800 }),
  };
  return new Proxy(simulated as CrmClient, { get: (client, name) => client[name as keyof CrmClient] ?? notSimulated });
}

/** Each input of a batch by itself. */
function each<I extends CrmWriteInput>(
  { calls, records }: SimCrmParts,
  inputs: readonly I[],
  about: Subject,
  one: (input: I) => CrmRecord | CrmItemError,
): BatchResult {
  const refused = trouble(inputs);
  if (refused) {
    records.fault('poison', about);
    return refused;
  }
  const answer: CrmBatchAnswer = { results: [], errors: [] };
  for (const input of inputs) {
    const isRefused = calls.refusesValues();
    if (isRefused) records.fault('refused', about);
    const isBad = isRefused || JSON.stringify(namedValues(input)).includes('poison-207');
    const said = isBad ? itemError('VALIDATION_ERROR', input) : one(input);
    if ('category' in said) answer.errors.push(said);
    else answer.results.unshift(said);
  }
  return { ok: true, value: answer, status: answer.errors.length > 0 ? 207 : 200 };
}

function batchRead({ calls, records }: SimCrmParts, caller: CrmCaller): CrmClient['batchRead'] {
  return (access, objectType, { ids, idProperty }) =>
    calls.call(caller, access.portalId, records.named(access, objectType, ids), () => {
      const idOf = ({ id, properties }: SimRecord): string => (idProperty ? (properties[idProperty] ?? '') : id);
      const found = [...records.table(access, objectType).values()].filter((record) => ids.includes(idOf(record)));
      return ok({ results: found.map((record) => shown(record)), errors: [] });
    });
}

function batchCreate(parts: SimCrmParts, caller: CrmCaller): CrmClient['batchCreate'] {
  const { calls, records } = parts;
  return (access, objectType, inputs) => {
    const identities = inputs.map(({ properties }) => String(properties[identityProperty[objectType]!]));
    const about = records.named(access, objectType, identities, inputs);
    const make = (input: CrmWriteInput): CrmRecord | CrmItemError => {
      const holder = objectType === 'contacts' ? holderOf(parts, access, input) : undefined;
      if (holder) return { ...itemError('CONFLICT', input), holderId: holder.id };
      const record = records.make(access, objectType);
      records.write(access, objectType, record, input.properties);
      return shown(record, input.traceId);
    };
    return calls.call(caller, access.portalId, about, () => each(parts, inputs, about, make));
  };
}

/** The contact that has the address of the input: the CRM keeps it unique. */
function holderOf({ records }: SimCrmParts, access: CrmAccess, { properties }: CrmWriteInput): SimRecord | undefined {
  return [...records.table(access, 'contacts').values()].find((record) => record.properties['email'] === properties['email']);
}

function batchUpdate(parts: SimCrmParts, caller: CrmCaller): CrmClient['batchUpdate'] {
  const { calls, records, prng } = parts;
  return (access, objectType, inputs) => {
    onlyOnce('update', inputs.map((input) => input.id));
    const about = records.named(access, objectType, inputs.map((input) => input.id), inputs);
    const update = (input: (typeof inputs)[number]): CrmRecord | CrmItemError => {
      const record = records.table(access, objectType).get(input.id);
      // Only when the CRM keeps the identity unique, so that there is no other record with it.
      const isHidden = objectType === 'contacts' && !calls.quiet && prng.chance(0.01);
      if (!record || isHidden) {
        records.fault('missing', records.named(access, objectType, [input.id], [input]));
        return itemError('OBJECT_NOT_FOUND', input);
      }
      records.write(access, objectType, record, input.properties);
      return shown(record);
    };
    return calls.call(caller, access.portalId, about, () => each(parts, inputs, about, update));
  };
}

function batchUpsert(parts: SimCrmParts, caller: CrmCaller): CrmClient['batchUpsert'] {
  const { calls, records } = parts;
  return (access, objectType, idProperty, inputs) => {
    onlyOnce('upsert', inputs.map((input) => input.id));
    const about = records.named(access, objectType, inputs.map((input) => input.id), inputs);
    const upsert = (input: (typeof inputs)[number]): CrmRecord => {
      const { id: value } = input;
      const known = [...records.table(access, objectType).values()].find(({ properties }) => properties[idProperty] === value);
      const record = known ?? records.make(access, objectType);
      records.write(access, objectType, record, { ...input.properties, [idProperty]: value });
      return { ...shown(record, input.traceId), isNew: !known };
    };
    return calls.call(caller, access.portalId, about, () => each(parts, inputs, about, upsert));
  };
}

/** A deleted record is ignored, as in the CRM. */
function batchArchive({ calls, records }: SimCrmParts, caller: CrmCaller): CrmClient['batchArchive'] {
  return (access, objectType, ids) => {
    onlyOnce('deletion', ids);
    return calls.call(caller, access.portalId, records.named(access, objectType, ids), () => {
      const known = records.table(access, objectType);
      for (const id of ids) if (known.has(id)) records.remove(access.portalId, objectType, id);
      return ok(null);
    });
  };
}

function search({ calls, records, clock }: SimCrmParts, caller: CrmCaller): CrmClient['search'] {
  return (access, objectType, { filterGroups }) => {
    const filter = filterGroups[0]!.filters[0]!;
    const asked = filter.values ?? [filter.value!];
    const values = asked.map((value) => value.toLowerCase());
    return calls.call(caller, access.portalId, records.named(access, objectType, asked), () => {
      const isFound = ({ visibleAt, properties }: SimRecord): boolean =>
        visibleAt <= clock.now() && values.includes((properties[filter.propertyName] ?? '').toLowerCase());
      const results = [...records.table(access, objectType).values()].filter(isFound).map((record) => shown(record));
      return ok({ results, total: results.length, after: null });
    });
  };
}

function associate({ calls, records }: SimCrmParts, caller: CrmCaller): CrmClient['batchAssociateDefault'] {
  return (access, fromType, toType, inputs) => {
    const from = records.named(access, fromType, inputs.map(({ fromId }) => fromId));
    const to = records.named(access, toType, inputs.map(({ toId }) => toId));
    const about = { numbers: [], records: [...from.records, ...to.records] };
    return calls.call(caller, access.portalId, about, () => {
      const nameOf = (type: string, id: string): string => `${access.portalId} ${type}/${id}`;
      for (const { fromId, toId } of inputs) records.log.associations.add(`${nameOf(fromType, fromId)}>${nameOf(toType, toId)}`);
      return ok({ done: inputs.length, errors: [] });
    });
  };
}
