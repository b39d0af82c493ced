import type {
  CallOptions,
  CrmAccess,
  CrmClient,
  CrmErrorBody,
  CrmItemError,
  CrmPropertyDefinition,
  CrmRate,
  CrmResult,
} from '../crm-client';
import type { CallFailure, FailureCode } from '../crm-records';
import { uniqueValueHolder } from '../unique-value-holder';
import type { CrmTrouble } from './crm-client-lab';
import { createMemoryDefinitions } from './memory-crm-definitions';
import { createMemoryLinks } from './memory-crm-links';
import {
  CrmRefusal,
  refusal,
  standardTypes,
  type CrmProblem,
  type MemoryCrmRecord,
  type MemoryObjectType,
} from './memory-crm-portal';
import { createMemoryRecords, itemError, liveRecord, memoryAppId } from './memory-crm-records';
import { searchMemoryRecords } from './memory-crm-search';

type Method = keyof CrmClient;
type Links = ReturnType<typeof createMemoryLinks>;

/** Twin of the CRM behind its client port: one portal in memory. What it does not simulate it throws about. */
export interface MemoryCrm extends CrmClient {
  readonly access: CrmAccess;
  readonly refreshTokenOfPortal: string;
  /** Calls that reached it, in order. */
  readonly calls: readonly { method: Method; objectType: string | null }[];
  /** From now on, for every method or one; null takes it away. */
  trouble(trouble: (CrmTrouble & { method?: Method }) | null): void;
  /** Counted from now on and never given back: time does not pass for limits. */
  limit(limits: { callsPer10s?: number; searchesPerS?: number }): void;
  /** An administrator sets how many partners a record may have by an association type. */
  limitPartners(typeId: number, max: number): void;
  setSearchLag(ms: number): void;
  /** The access token is not taken any more; a refresh gives one that is. */
  expireToken(): void;
  records(objectType: string): MemoryCrmRecord[];
  associations(fromType: string, toType: string): ReturnType<Links['between']>;
  archive(objectType: string, id: string): void;
  merge(objectType: string, survivorId: string, loserId: string): void;
  /** By a person. */
  edit(objectType: string, id: string, properties: Record<string, string>): void;
}

const failures: Record<number, [CallFailure['kind'], FailureCode, number?]> = {
  401: ['fatal', 'crm_unauthorized'],
  403: ['fatal', 'crm_forbidden'],
  404: ['permanent', 'crm_not_found'],
  409: ['permanent', 'crm_conflict'],
  423: ['transient', 'crm_locked', 2_000],
  429: ['transient', 'crm_rate_limited', 1_000],
  477: ['transient', 'crm_migrating'],
};
const policyWaitMs: Record<string, number> = { TEN_SECONDLY_ROLLING: 10_000, DAILY: 900_000 };
const noAnswer = (code: FailureCode): CrmResult<never> => ({
  ok: false,
  kind: 'transient',
  code,
  message: `the CRM twin: ${code}`,
  status: 0,
});

/** @param options.now milliseconds since the epoch; the machine's clock unless given */
export function createMemoryCrm(options: { portalId?: string; now?(): number } = {}): MemoryCrm {
  const { portalId = '1000001', now = Date.now } = options;
  const refreshTokenOfPortal = `memory-refresh-${portalId}`;
  const types = new Map(standardTypes().map((type) => [type.name, type]));
  const typeNamed = (name: string): MemoryObjectType =>
    types.get(name) ?? refuse(refusal(`Unable to infer object type from: ${name}`));
  let searchLagMs = 0;
  const records = createMemoryRecords(now, () => searchLagMs);
  const links = createMemoryLinks(typeNamed);
  const calls: { method: Method; objectType: string | null }[] = [];
  let issued = 1;
  let dead = 0;
  let left: { calls: { max: number; remaining: number } | null; searches: number } = { calls: null, searches: Infinity };
  let trouble: (CrmTrouble & { method?: Method }) | null = null;

  const token = (number: number): string => `memory-access-${portalId}-${number}`;
  const knows = (accessToken: string): boolean =>
    Array.from({ length: issued - dead }, (_, index) => token(dead + index + 1)).includes(accessToken);
  const strike = (method: Method): CrmTrouble | null => {
    if (!trouble || (trouble.method !== undefined && trouble.method !== method) || trouble.times === 0) return null;
    if (trouble.times !== undefined) trouble = { ...trouble, times: trouble.times - 1 };
    return trouble;
  };
  const rate = (): CrmRate | undefined => (left.calls ? { ...left.calls, intervalMs: 10_000 } : undefined);
  const admit = (method: Method): CrmResult<never> | null => {
    if (method === 'search') return (left.searches -= 1) < 0 ? failed(429, { policyName: 'SECONDLY' }) : null;
    if (!left.calls) return null;
    if (left.calls.remaining === 0) return { ...failed(429, { policyName: 'TEN_SECONDLY_ROLLING' }), rate: rate()! };
    left.calls.remaining -= 1;
    return null;
  };

  /** Does the work of a call that got through. */
  const perform = <T,>(method: Method, access: CrmAccess | null, work: () => T): CrmResult<T> => {
    if (access && !knows(access.accessToken)) return failed(401, { message: 'Authentication credentials not found.' });
    const refused = access && admit(method);
    if (refused) return refused;
    try {
      const value = work();
      const errors = (value as { errors?: CrmItemError[] } | null)?.errors ?? [];
      const heard = access && method !== 'search' ? rate() : undefined;
      return { ok: true, value, status: errors.length > 0 ? 207 : 200, ...(heard ? { rate: heard } : {}) };
    } catch (error) {
      if (!(error instanceof CrmRefusal)) throw error;
      const { status, ...body } = error.problem;
      return failed(status, body);
    }
  };
  const call = async <T,>(
    method: Method,
    access: CrmAccess | null,
    objectType: string | null,
    given: CallOptions,
    work: () => T,
  ): Promise<CrmResult<T>> => {
    if (given.signal?.aborted) return noAnswer('crm_aborted');
    calls.push({ method, objectType });
    const met = strike(method);
    const lateness = met?.delayMs === undefined ? null : await outlast(met.delayMs, given);
    if (lateness !== null) return noAnswer(lateness);
    const answer = !met || met.landed || (met.status === undefined && !met.cut) ? perform(method, access, work) : null;
    if (met?.cut) return noAnswer('crm_unreachable');
    if (met?.status === undefined) return answer!;
    return met.status < 300
      ? noAnswer('crm_unreadable')
      : failed(met.status, met.body as CrmErrorBody | undefined, met.retryAfterS, access?.accessToken);
  };
  /** A token the CRM refuses is the caller's mistake. */
  const aboutToken = async <T,>(method: Method, secret: string, given: CallOptions, work: () => T): Promise<CrmResult<T>> => {
    const answer = masked(await call(method, null, null, given, work), secret);
    return answer.ok || answer.kind === 'transient' ? answer : { ...answer, kind: 'permanent', code: 'crm_token_refused' };
  };
  const createProperty = (type: MemoryObjectType, definition: CrmPropertyDefinition): CrmProblem | null => {
    if (type.properties.has(definition.name))
      return { status: 409, category: 'OBJECT_ALREADY_EXISTS', message: `A property named '${definition.name}' already exists.` };
    if (!type.groups.has(definition.groupName)) return refusal(`property group ${definition.groupName} does not exist`);
    type.properties.set(definition.name, { hasUniqueValue: false, ...definition, readOnly: false });
    return null;
  };

  return {
    access: { portalId, accessToken: token(1) },
    refreshTokenOfPortal,
    calls,
    batchRead: (access, type, input, given) => call('batchRead', access, type, given, () => records.read(typeNamed(type), input)),
    batchCreate: (access, type, inputs, given) =>
      call('batchCreate', access, type, given, () => records.create(typeNamed(type), inputs)),
    batchUpdate: (access, type, inputs, given) =>
      call('batchUpdate', access, type, given, () => records.update(typeNamed(type), inputs)),
    batchUpsert: (access, type, idProperty, inputs, given) =>
      call('batchUpsert', access, type, given, () => records.upsert(typeNamed(type), idProperty, inputs)),
    batchArchive: (access, type, ids, given) =>
      call('batchArchive', access, type, given, () => records.archive(typeNamed(type), ids)),
    search: (access, type, search, given) =>
      call('search', access, type, given, () => searchMemoryRecords(typeNamed(type), search, now())),
    associationTypes: (access, from, to, given) =>
      call('associationTypes', access, from, given, () => links.types(typeNamed(from).name, typeNamed(to).name)),
    associationLimits: (access, from, to, given) =>
      call('associationLimits', access, from, given, () => links.limits(typeNamed(from).name, typeNamed(to).name)),
    limitPartners: links.limit,
    batchAssociate: (access, from, to, inputs, given) =>
      call('batchAssociate', access, from, given, () => links.associate(from, to, inputs)),
    batchAssociateDefault: (access, from, to, inputs, given) =>
      call('batchAssociateDefault', access, from, given, () => links.associateDefault(from, to, inputs)),
    batchReadAssociations: (access, from, to, ids, given) =>
      call('batchReadAssociations', access, from, given, () => links.read(from, to, ids)),
    batchArchiveAssociations: (access, from, to, inputs, given) =>
      call('batchArchiveAssociations', access, from, given, () => links.archive(from, to, inputs)),
    batchArchiveLabels: (access, from, to, inputs, given) =>
      call('batchArchiveLabels', access, from, given, () => links.archiveLabels(from, to, inputs)),
    properties: (access, type, given) => call('properties', access, type, given, () => [...typeNamed(type).properties.values()]),
    createProperties: (access, type, definitions, given) =>
      call('createProperties', access, type, given, () => {
        const outcomes = definitions.map((definition) => ({
          name: definition.name,
          problem: createProperty(typeNamed(type), definition),
        }));
        return {
          created: outcomes.flatMap(({ name, problem }) => (problem ? [] : [name])),
          errors: outcomes.flatMap(({ problem }) => (problem ? [itemError(problem)] : [])),
        };
      }),
    updatePropertyOptions: (access, type, name, options, given) =>
      call('updatePropertyOptions', access, type, given, () => {
        const { properties } = typeNamed(type);
        const definition =
          properties.get(name) ??
          refuse({ status: 404, category: 'OBJECT_NOT_FOUND', message: `Property '${name}' does not exist` });
        properties.set(name, { ...definition, options });
        return null;
      }),
    propertyGroups: (access, type, given) =>
      call('propertyGroups', access, type, given, () => [...typeNamed(type).groups].map(([name, label]) => ({ name, label }))),
    createPropertyGroup: (access, type, group, given) =>
      call('createPropertyGroup', access, type, given, () => {
        const { groups } = typeNamed(type);
        if (groups.has(group.name))
          refuse({
            status: 409,
            category: 'OBJECT_ALREADY_EXISTS',
            message: `A property group named '${group.name}' already exists.`,
          });
        groups.set(group.name, group.label);
        return null;
      }),
    ...createMemoryDefinitions(portalId, types, call),
    introspect: (accessToken, given) =>
      aboutToken('introspect', accessToken, given, () =>
        knows(accessToken)
          ? { portalId, scopes: ['oauth'], expiresInS: 1_800, appId: memoryAppId }
          : refuse({ status: 404, category: 'OBJECT_NOT_FOUND', message: 'access token not found' }),
      ),
    refreshToken: (refreshToken, given) =>
      aboutToken('refreshToken', refreshToken, given, () =>
        refreshToken === refreshTokenOfPortal
          ? { accessToken: token((issued += 1)), refreshToken, expiresInS: 1_800 }
          : refuse(refusal('missing or invalid refresh token')),
      ),
    trouble: (next) => {
      trouble = next;
    },
    limit: ({ callsPer10s, searchesPerS = Infinity }) => {
      left = { calls: callsPer10s === undefined ? null : { max: callsPer10s, remaining: callsPer10s }, searches: searchesPerS };
    },
    setSearchLag: (ms) => {
      searchLagMs = ms;
    },
    expireToken: () => {
      dead = issued;
    },
    records: (objectType) => [...typeNamed(objectType).records.values()],
    associations: (fromType, toType) => links.between(fromType, toType),
    archive: (objectType, id) => {
      liveRecord(typeNamed(objectType), id)!.archived = true;
    },
    edit: (objectType, id, properties) => records.edit(typeNamed(objectType), id, properties),
    merge: (objectType, survivorId, loserId) => {
      Object.assign(typeNamed(objectType).records.get(loserId)!, { mergedInto: survivorId, properties: {}, indexed: [] });
    },
  };
}

function refuse(problem: CrmProblem): never {
  throw new CrmRefusal(problem);
}

/** A status as every client tells it: kind, code, and how long to stay away. */
function failed(status: number, body: CrmErrorBody | undefined, retryAfterS?: number, secret = ''): CrmResult<never> {
  const [kind, code, wait] =
    failures[status] ??
    ((status >= 500 ? ['transient', 'crm_unavailable'] : ['permanent', 'crm_rejected']) as [
      CallFailure['kind'],
      FailureCode,
      number?,
    ]);
  const policy = status === 429 ? policyWaitMs[body?.policyName ?? ''] : undefined;
  const retryAfterMs = retryAfterS === undefined ? (policy ?? wait) : retryAfterS * 1_000;
  const holderId = status === 409 || status === 400 ? uniqueValueHolder(body?.message ?? '') : undefined;
  const patient = kind === 'transient' && retryAfterMs !== undefined ? { retryAfterMs } : {};
  const said = holderId === undefined ? { code } : { code: 'crm_value_taken' as const, holderId };
  return masked(
    {
      ok: false,
      kind,
      ...said,
      message: body?.message ?? `the CRM answered ${status}`,
      status,
      ...patient,
      ...(body ? { body } : {}),
    },
    secret,
  );
}

/** A failure without the secret its call carried. */
function masked<T>(answer: CrmResult<T>, secret: string): CrmResult<T> {
  return answer.ok || secret === '' ? answer : (JSON.parse(JSON.stringify(answer).replaceAll(secret, '***')) as CrmResult<T>);
}

/** Waits out a delay; answers what ended the waiting before it was over. */
function outlast(delayMs: number, { timeoutMs, signal }: CallOptions): Promise<'crm_timeout' | 'crm_aborted' | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(delayMs > timeoutMs ? 'crm_timeout' : null), Math.min(delayMs, timeoutMs));
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve('crm_aborted');
      },
      { once: true },
    );
  });
}
