import type {
  CallOptions, CallResult, CrmAccess, CrmBatchAnswer, CrmClient, CrmRecord, CrmResult, CrmWriteInput,
} from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { Activity } from '../batching/activity';
import { matchBatch, runBatch } from './batch-outcome';
import { callContextOf } from './call-context';
import { createCallFamily } from './call-family';
import type { CoalescerFamily } from '../batching/coalescer-family';
import { idsOf, mergedIds } from '../shared/merged-ids';
import { normalizeIdentity } from '../shared/normalize-identity';
import { withoutAddress } from './contact-address';
import type { PortalSession } from '../session/portal-session';
import type { UnitRequest, CreateRequest, ReadRequest, UpdateRequest } from './record-requests';
import { searchValues } from './search-values';
import { takenApart } from './taken-apart';
import type { WriteCaps } from './write-caps';

/** The CRM's limit for every batch of records (docs/reference/crm-api.md, Batches). */
const maxRecords = 100;

/** Batched record calls of one portal. Names: `<object type>` or `<object type> <property> [properties]`, joined by a space. */
export interface RecordCalls {
  update(objectType: string, ask: UpdateRequest): Promise<CallResult<CrmRecord>>;
  upsert(objectType: string, idProperty: string, ask: CreateRequest): Promise<CallResult<CrmRecord>>;
  create(objectType: string, identityProperty: string, ask: CreateRequest): Promise<CallResult<CrmRecord>>;
  /** Creates by a property that the CRM keeps unique: it refuses a second record, so that the call may be repeated. */
  createNew(objectType: string, idProperty: string, ask: CreateRequest): Promise<CallResult<CrmRecord>>;
  /** Reads by record id (`property` null) or by a unique property. null: there is none. */
  read(
    objectType: string,
    property: string | null,
    properties: readonly string[],
    ask: ReadRequest,
  ): Promise<CallResult<CrmRecord | null>>;
  /** Searches by equality of one property: all matches, oldest first. Lags behind writes. */
  search(objectType: string, property: string, properties: readonly string[], ask: ReadRequest): Promise<CallResult<CrmRecord[]>>;
}

/** An input of a write: `id` is the record's id, or the value of its identity property. */
type WriteInput = CrmWriteInput & { id: string };
/** An input, and the request that it belongs to. */
interface Write extends UnitRequest, Pick<UpdateRequest, 'superseded' | 'heard'> {
  input: WriteInput;
}
type Keys = { ofInput(input: { id: string }): string; ofResult(record: CrmRecord): string };

const superseded = {
  ok: false,
  kind: 'permanent',
  code: 'superseded',
  message: 'something newer was written meanwhile',
} as const;

const inputOf = ({ input }: Write): WriteInput => input;
/** Unique within a call, also after the batch was halved. */
const traceIdAt = (place: number): string => String(place);

/** Writes that a newer one has overtaken are not sent. */
const leftOut = (write: Write): typeof superseded | null => (write.superseded?.() ? superseded : null);

function tellHeard(writes: readonly Write[], results: readonly CallResult<CrmRecord>[]): void {
  results.forEach((result, index) => {
    if (result.ok) writes[index]!.heard?.(result.value);
  });
}

/** When the CRM does not echo the trace id, a record is matched by its identity value. */
const byProperty = (property: string): Keys => ({
  ofInput: (input) => normalizeIdentity(property, input.id),
  ofResult: (record) => normalizeIdentity(property, record.properties[property] ?? ''),
});

/** A value may lead to a record that shows another value, for example a contact's secondary address. */
const onlyOne = (values: readonly string[], records: readonly CrmRecord[]): CrmRecord | null =>
  values.length === 1 && records.length === 1 ? records[0]! : null;

const knownRecord = ({ unit, id, properties, superseded: overtaken, heard }: UpdateRequest, place: number): Write => ({
  unit,
  superseded: overtaken,
  heard,
  input: { id, properties, traceId: traceIdAt(place) },
});
const newRecord = ({ unit, identityValue, properties, superseded: overtaken, heard }: CreateRequest, place: number): Write => ({
  unit,
  superseded: overtaken,
  heard,
  input: { id: identityValue, properties, traceId: traceIdAt(place) },
});
/** Other than an upsert, a create has the value only among the properties. */
const recordOfValue = (property: string) => (ask: CreateRequest, place: number): Write =>
  newRecord({ ...ask, properties: { [property]: ask.identityValue, ...ask.properties } }, place);
/**
 * The CRM stores the value of `id` when it creates a record; as a property it would replace the primary address of a contact that
 * was found by a further one.
 */
const contactByAddress = (ask: CreateRequest, place: number): Write =>
  newRecord({ ...ask, properties: withoutAddress(ask.properties) }, place);

/** How a batch of writes is sent, and how its results are matched to inputs. */
interface WriteCall {
  send(
    client: CrmClient, access: CrmAccess, inputs: WriteInput[], options: CallOptions,
  ): Promise<CrmResult<CrmBatchAnswer>>;
  keys: Keys;
  /** Whether it may be repeated. */
  repeatable: boolean;
}

async function writeBatch(
  session: PortalSession, writes: Write[], { send, keys, repeatable }: WriteCall,
): Promise<CallResult<CrmRecord>[]> {
  const results = await runBatch<Write, CrmBatchAnswer>(writes, {
    send: (part) =>
      session.call('write', (client, access, options) => send(client, access, part.map(inputOf), options), callContextOf(part)),
    match: (part, answer) => {
      const results = matchBatch(part.map(inputOf), answer, keys);
      // Of the whole batch the units hear at once.
      if (part.length < writes.length) tellHeard(part, results);
      return results;
    },
    leftOut,
    splitTransient: repeatable && writes.some(({ unit }) => unit.retried),
  });
  failpoint('after_crm_write');
  return results;
}

/** @param property '' : by record id */
async function readRecords(
  session: PortalSession, objectType: string, property: string, properties: readonly string[], asks: readonly ReadRequest[],
): Promise<CallResult<CrmRecord | null>[]> {
  const values = [...new Set(asks.map((ask) => ask.value))];
  const wanted = [...properties, property === '' ? mergedIds : property];
  const input = { ids: values, properties: wanted, ...(property === '' ? {} : { idProperty: property }) };
  const answer = await session.call(
    'read',
    (client, access, options) => client.batchRead(access, objectType, input, options),
    callContextOf(asks),
  );
  if (!answer.ok) return asks.map(() => answer);
  const byValue = new Map(
    answer.value.results.flatMap((record) =>
      property === ''
        ? idsOf(record).map((id) => [id, record] as const)
        : [[normalizeIdentity(property, record.properties[property] ?? ''), record] as const],
    ),
  );
  return asks.map((ask) => ({
    ok: true,
    value:
      byValue.get(property === '' ? ask.value : normalizeIdentity(property, ask.value)) ??
      onlyOne(values, answer.value.results),
  }));
}

export function createRecordCalls(session: PortalSession, activity: Activity, caps: WriteCaps): RecordCalls {
  const write = <Q extends UnitRequest>(
    asks: readonly Q[], call: WriteCall, toWrite: (ask: Q, place: number) => Write,
  ): Promise<CallResult<CrmRecord>[]> =>
    caps.within(asks, call.repeatable, (allowed) => writeBatch(session, allowed.map(toWrite), call));
  const family = <Q extends UnitRequest, A>(
    maxConcurrent: number,
    conflictKey: (ask: Q) => string | null,
    run: (name: string[], asks: Q[]) => Promise<CallResult<A>[]>,
    maxBatch = maxRecords,
  ): CoalescerFamily<Q, CallResult<A>> => createCallFamily((name) => ({
    maxBatch, maxConcurrent, activity, conflictKey,
    limitOf: (ask) => ask.unit.chunkSize,
    run: (asks) => run(JSON.parse(name) as string[], asks),
  }));

  const updates = family<UpdateRequest, CrmRecord>(8, (ask) => ask.id, ([objectType], asks) =>
    write(asks, {
      send: (client, access, part, options) => client.batchUpdate(access, objectType!, part, options),
      keys: { ofInput: (input) => input.id, ofResult: (record) => record.id },
      repeatable: true,
    }, knownRecord));
  const upserts = family<CreateRequest, CrmRecord>(
    8,
    (ask) => ask.identityValue,
    ([objectType, property], asks) =>
      write(asks, {
        send: (client, access, part, options) => client.batchUpsert(access, objectType!, property!, part, options),
        keys: byProperty(property!),
        repeatable: true,
      }, property === 'email' ? contactByAddress : newRecord),
  );
  const newcomers = family<CreateRequest, CrmRecord>(8, (ask) => ask.identityValue, ([objectType, property], asks) =>
    write(asks, {
      send: (client, access, part, options) => client.batchCreate(access, objectType!, part, options),
      keys: byProperty(property!),
      repeatable: true,
    }, recordOfValue(property!)));
  const createMany = ([objectType, property]: string[], asks: CreateRequest[]): Promise<CallResult<CrmRecord>[]> =>
    write(asks, {
      send: (client, access, part, options) => client.batchCreate(access, objectType!, part, options),
      keys: byProperty(property!),
      repeatable: false,
    }, newRecord);
  const creates = family<CreateRequest, CrmRecord>(8, (ask) => ask.identityValue, createMany);
  // A create must not be repeated blindly, so a failed batch cannot be split: creates that failed before are sent alone.
  const loneCreates = family<CreateRequest, CrmRecord>(8, (ask) => ask.identityValue, createMany, 1);
  const reads = family<ReadRequest, CrmRecord | null>(4, () => null, ([objectType, property, ...properties], asks) =>
    takenApart(asks, (part) => readRecords(session, objectType!, property!, properties, part)),
  );
  const searches = family<ReadRequest, CrmRecord[]>(
    2,
    () => null,
    ([objectType, property, ...properties], asks) =>
      takenApart(asks, (part) => searchValues(session, objectType!, property!, properties, part)),
  );

  return {
    update: (objectType, ask) => updates.ask(JSON.stringify([objectType]), ask),
    upsert: (objectType, idProperty, ask) => upserts.ask(JSON.stringify([objectType, idProperty]), ask),
    create: (objectType, property, ask) =>
      (ask.unit.retried ? loneCreates : creates).ask(JSON.stringify([objectType, property]), ask),
    createNew: (objectType, property, ask) => newcomers.ask(JSON.stringify([objectType, property]), ask),
    read: (objectType, property, properties, ask) => reads.ask(JSON.stringify([objectType, property ?? '', ...properties]), ask),
    search: (objectType, property, properties, ask) => searches.ask(JSON.stringify([objectType, property, ...properties]), ask),
  };
}
