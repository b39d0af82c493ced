import type { CrmBatchAnswer, CrmChange, CrmItemError, CrmRecord, CrmWriteInput } from '../crm-client';
import type { PropertyValue } from '../crm-records';
import { uniqueValueHolder } from '../unique-value-holder';
import { CrmRefusal, refusal, type CrmProblem, type MemoryCrmRecord, type MemoryObjectType } from './memory-crm-portal';

/** One input of a batch after its checks: the record it changes (null: a new one) and what it sets, or why it is refused. */
type Prepared =
  { traceId: string; record: MemoryCrmRecord | null; values: Record<string, string> } | { traceId: string; problem: CrmProblem };

const maxInputs = 100;
const clean = (name: string, value: PropertyValue): string =>
  name === 'email'
    ? String(value ?? '')
        .trim()
        .toLowerCase()
    : String(value ?? '').trim();

export function itemError({ category, subCategory, message, context = {} }: CrmProblem, traceId?: string): CrmItemError {
  const holderId = uniqueValueHolder(message);
  return {
    category,
    subCategory: subCategory ?? null,
    message,
    traceIds: traceId === undefined ? [] : [traceId],
    ids: context['ids'] ?? [],
    ...(holderId === undefined ? {} : { holderId }),
    context: traceId === undefined ? context : { ...context, objectWriteTraceId: [traceId] },
  };
}

/** Refuses an empty, an oversized, or a doubled list of ids. */
export function checkBatch(ids: readonly string[], max = maxInputs): void {
  if (ids.length === 0 || ids.length > max) throw new CrmRefusal(refusal(`a batch has 1 to ${max} inputs, not ${ids.length}`));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0)
    throw new CrmRefusal(
      refusal(`Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`, { context: { ids: twice } }),
    );
}

export function isUnique(type: MemoryObjectType, name: string): boolean {
  return type.properties.get(name)?.hasUniqueValue === true;
}

/** The record an id leads to, through merges; archived ones do not count. */
export function liveRecord(type: MemoryObjectType, id: string): MemoryCrmRecord | undefined {
  const record = type.records.get(id);
  if (record?.mergedInto !== undefined) return liveRecord(type, record.mergedInto);
  return record?.archived ? undefined : record;
}

function holderOf(type: MemoryObjectType, name: string, value: string): MemoryCrmRecord | undefined {
  for (const record of type.records.values())
    if (!record.archived && record.properties[name] === clean(name, value)) return record;
  return undefined;
}

/** A record as an answer shows it. `asked`: these properties, empty ones as null; otherwise what it has. */
export function shown(
  type: MemoryObjectType,
  record: MemoryCrmRecord,
  asked?: readonly string[],
  properties = record.properties,
): CrmRecord {
  const [createdAt, updatedAt] = [record.createdAt, record.updatedAt].map((at) => new Date(at).toISOString()) as [string, string];
  const own: Record<string, string | null> = { createdate: createdAt, lastmodifieddate: updatedAt, hs_object_id: record.id };
  const wanted = asked === undefined ? Object.keys(properties) : asked.filter((name) => type.properties.has(name));
  for (const name of wanted) own[name] ??= properties[name] ?? null;
  return { id: record.id, properties: own, archived: record.archived, createdAt, updatedAt };
}

function badValue(type: MemoryObjectType, name: string, value: string): { code: string; message: string } | null {
  const definition = type.properties.get(name);
  if (!definition) return { code: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` };
  if (definition.readOnly)
    return { code: 'READ_ONLY_VALUE', message: `"${name}" is a read only property; its value cannot be set.` };
  if (value === '') return null;
  if (definition.type === 'number' && !Number.isFinite(Number(value)))
    return { code: 'INVALID_NUMBER', message: `${value} was not a valid number` };
  const options =
    definition.type === 'enumeration' && !definition.externalOptions
      ? (definition.options ?? []).map((option) => option.value)
      : null;
  return options && !options.includes(value)
    ? { code: 'INVALID_OPTION', message: `${value} was not one of the allowed options: [${options.join(', ')}]` }
    : null;
}

/** The app that the twin's tokens belong to. */
export const memoryAppId = '1';
const ownApp: Omit<CrmChange, 'at'> = { sourceType: 'INTEGRATION', sourceId: memoryAppId };

const changesOf = ({ lastChanges }: MemoryCrmRecord, asked: readonly string[]): Record<string, CrmChange> =>
  Object.fromEntries(asked.flatMap((name) => (lastChanges[name] ? [[name, lastChanges[name]]] : [])));

/** Records of one portal. A whole batch is checked before anything is written (docs/reference/crm-api.md, Batches). */
export function createMemoryRecords(now: () => number, searchLagMs: () => number) {
  let lastId = 100;

  const takenBy = (
    type: MemoryObjectType,
    values: Record<string, string>,
    existing: MemoryCrmRecord | null,
    claims: Set<string>,
  ): CrmProblem | null => {
    for (const [name, value] of Object.entries(values)) {
      if (value === '' || !isUnique(type, name)) continue;
      const holder = holderOf(type, name, value);
      if ((holder && holder !== existing) || claims.has(`${name}=${value}`)) {
        const id = holder?.id ?? 'one of this batch';
        return name === 'email' && !existing
          ? { status: 409, category: 'CONFLICT', message: `Contact already exists. Existing ID: ${id}` }
          : refusal(`Cannot set PropertyValueCoordinates{propertyName=${name}, value=${value}}. ${id} already has that value.`);
      }
      claims.add(`${name}=${value}`);
    }
    return null;
  };

  const prepare = (
    type: MemoryObjectType,
    input: CrmWriteInput,
    record: MemoryCrmRecord | null,
    claims: Set<string>,
  ): Prepared => {
    const values = Object.fromEntries(Object.entries(input.properties).map(([name, value]) => [name, clean(name, value)]));
    const bad = Object.entries(values)
      .flatMap(([name, value]) => ({ name, ...badValue(type, name, value) }))
      .filter((one) => one.code !== undefined);
    const missing = record ? undefined : type.required.find((names) => names.every((name) => (values[name] ?? '') === ''));
    const problem =
      bad.length > 0
        ? refusal(
            `Property values were not valid: ${JSON.stringify(bad.map(({ name, code, message }) => ({ isValid: false, message, error: code, name })))}`,
            {
              errors: bad.map(({ name, code, message }) => ({
                code: code!,
                message: message!,
                context: { propertyName: [name] },
              })),
            },
          )
        : missing
          ? refusal(`Error creating ${type.name}. Some required properties were not set.`, { context: { properties: missing } })
          : takenBy(type, values, record, claims);
    return { traceId: input.traceId, ...(problem ? { problem } : { record, values }) };
  };

  const commit = (
    type: MemoryObjectType,
    existing: MemoryCrmRecord | null,
    values: Record<string, string>,
    by = ownApp,
  ): MemoryCrmRecord => {
    const at = now();
    const record = existing ?? {
      id: String((lastId += 1)),
      properties: {},
      lastChanges: {},
      archived: false,
      createdAt: at,
      updatedAt: at,
      indexed: [],
    };
    for (const [name, value] of Object.entries(values))
      if ((record.properties[name] ?? '') !== value) record.lastChanges[name] = { at: new Date(at).toISOString(), ...by };
    record.properties = Object.fromEntries(
      Object.entries({ ...record.properties, ...values }).filter(([, value]) => value !== ''),
    );
    record.updatedAt = at;
    record.indexed.push({ at: at + searchLagMs(), properties: record.properties });
    type.records.set(record.id, record);
    return record;
  };

  /**
   * Without trace ids of their own one bad input refuses all; unknown ids never do. Results come in the reverse order: callers
   * must not count on it.
   */
  const finish = (type: MemoryObjectType, batch: readonly Prepared[], markNew: boolean): CrmBatchAnswer => {
    const refused = batch.flatMap((one) => ('problem' in one ? [one] : []));
    const blocking = refused.find(({ problem }) => problem.status !== 404);
    if (blocking && new Set(batch.map(({ traceId }) => traceId)).size < batch.length) throw new CrmRefusal(blocking.problem);
    const results = batch.flatMap((one) => {
      if ('problem' in one) return [];
      const record = commit(type, one.record, one.values);
      return [{ ...shown(type, record), traceId: one.traceId, ...(markNew ? { isNew: one.record === null } : {}) }];
    });
    return { results: results.reverse(), errors: refused.map(({ problem, traceId }) => itemError(problem, traceId)) };
  };

  return {
    /** A person's edit of a record. */
    edit(type: MemoryObjectType, id: string, values: Record<string, string>): void {
      commit(type, liveRecord(type, id)!, values, { sourceType: 'CRM_UI', sourceId: 'userId:7' });
    },
    create(type: MemoryObjectType, inputs: readonly CrmWriteInput[]): CrmBatchAnswer {
      checkBatch(inputs.map((_, index) => String(index)));
      const claims = new Set<string>();
      return finish(
        type,
        inputs.map((input) => prepare(type, input, null, claims)),
        false,
      );
    },
    update(type: MemoryObjectType, inputs: readonly (CrmWriteInput & { id: string })[]): CrmBatchAnswer {
      checkBatch(inputs.map((input) => input.id));
      const claims = new Set<string>();
      return finish(
        type,
        inputs.map((input) => {
          const record = liveRecord(type, input.id);
          return record ? prepare(type, input, record, claims) : { traceId: input.traceId, problem: notThere(type, [input.id]) };
        }),
        false,
      );
    },
    upsert(type: MemoryObjectType, idProperty: string, inputs: readonly (CrmWriteInput & { id: string })[]): CrmBatchAnswer {
      if (!isUnique(type, idProperty))
        throw new CrmRefusal(refusal(`Unable to perform update/upsert by non-unique property ${idProperty}`));
      checkBatch(inputs.map((input) => clean(idProperty, input.id)));
      const claims = new Set<string>();
      return finish(
        type,
        inputs.map((input) => {
          const record = holderOf(type, idProperty, input.id) ?? null;
          return prepare(
            type,
            record ? input : { ...input, properties: { [idProperty]: input.id, ...input.properties } },
            record,
            claims,
          );
        }),
        true,
      );
    },
    archive(type: MemoryObjectType, ids: readonly string[]): null {
      checkBatch(ids);
      for (const id of ids) {
        const record = liveRecord(type, id);
        if (record) record.archived = true;
      }
      return null;
    },
    read(
      type: MemoryObjectType,
      {
        ids,
        idProperty,
        properties,
        lastChanges,
        archived = false,
      }: { ids: string[]; idProperty?: string; properties: string[]; lastChanges?: string[]; archived?: boolean },
    ): CrmBatchAnswer {
      checkBatch(ids);
      if (idProperty !== undefined && !isUnique(type, idProperty))
        throw new CrmRefusal(refusal(`${idProperty} is not a unique property`));
      const found = (id: string): MemoryCrmRecord | undefined => {
        if (archived)
          return [...type.records.values()].find(
            (record) =>
              record.archived &&
              (idProperty === undefined ? record.id === id : record.properties[idProperty] === clean(idProperty, id)),
          );
        return idProperty === undefined ? liveRecord(type, id) : holderOf(type, idProperty, id);
      };
      const missing = ids.filter((id) => !found(id));
      const results = ids
        .flatMap((id) => found(id) ?? [])
        .map((record) => ({
          ...shown(type, record, [...properties, ...(lastChanges ?? [])]),
          ...(lastChanges && { lastChanges: changesOf(record, lastChanges) }),
        }));
      return { results: results.reverse(), errors: missing.length > 0 ? [itemError(notThere(type, missing))] : [] };
    },
  };
}

function notThere(type: MemoryObjectType, ids: string[]): CrmProblem {
  return {
    status: 404,
    category: 'OBJECT_NOT_FOUND',
    message: `Could not get some ${type.name}, they may be deleted or not exist. Check that ids are valid.`,
    context: { ids },
  };
}
