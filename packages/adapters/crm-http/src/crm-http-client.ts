import type { CrmClient, CrmFileClient, CrmJournal, CrmResult, CrmWriteInput, PropertyValue } from '@sluice/ports';
import { createAssociationCalls } from './association-calls';
import { toBatchAnswer, toCrmRecord, type WireBatch, type WireRecord } from './batch-answer';
import { createDefinitionCalls } from './definition-calls';
import { createFileCalls } from './file-calls';
import { createFormCalls } from './form-calls';
import { mapResult } from './map-result';
import { createJournalCalls } from './journal-calls';
import { createOauthCalls } from './oauth-calls';
import { crmPaths } from './paths';
import { createPropertyCalls } from './property-calls';
import { anything, createCrmAgent, createWireCall, hasResults } from './wire-call';

export interface CrmHttpSettings {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Where forms are submitted; default: `baseUrl`. */
  formsBaseUrl?: string;
  clientId: string;
  /** A secret; only ever sent in token requests. */
  clientSecret: string;
  /** Sockets to the CRM from this process. */
  connections?: number;
}

/** An empty string in place of null: that is how the CRM clears a property (docs/reference/crm-api.md, Writing). */
const textOf = (value: PropertyValue): string => (value === null ? '' : String(value));

/** Most records consist of texts only: these are not copied. */
const onWire = (properties: CrmWriteInput['properties']): Readonly<Record<string, PropertyValue>> =>
  Object.values(properties).every((value) => typeof value === 'string')
    ? properties
    : Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, textOf(value)]));

const input = ({ traceId, properties }: CrmWriteInput): object => ({
  objectWriteTraceId: traceId,
  properties: onWire(properties),
});

/** The CRM over HTTP. `close` ends its sockets. */
export function createCrmHttpClient(
  settings: CrmHttpSettings,
): CrmClient & CrmFileClient & CrmJournal & { close(): Promise<void> } {
  const agent = createCrmAgent(settings.connections ?? 32);
  const call = createWireCall(settings.baseUrl, agent);
  const batch = (answer: CrmResult<WireBatch>): ReturnType<typeof mapResult<WireBatch, ReturnType<typeof toBatchAnswer>>> =>
    mapResult(answer, toBatchAnswer);
  return {
    ...createAssociationCalls(call),
    ...createPropertyCalls(call),
    ...createDefinitionCalls(call),
    ...createOauthCalls(call, settings),
    ...createFileCalls(call),
    ...createJournalCalls(call, settings, agent),
    ...createFormCalls(createWireCall(settings.formsBaseUrl ?? settings.baseUrl, agent)),
    batchRead: async (access, objectType, { ids, idProperty, properties, lastChanges = [], archived }, options) => {
      const json = {
        inputs: ids.map((id) => ({ id })),
        properties,
        propertiesWithHistory: lastChanges,
        ...(idProperty ? { idProperty } : {}),
      };
      const path = crmPaths.batch(objectType, 'read') + (archived ? '?archived=true' : '');
      return batch(await call({ method: 'POST', path, accessToken: access.accessToken, json, readable: hasResults }, options));
    },
    batchCreate: async (access, objectType, inputs, options) =>
      batch(
        await call(
          {
            method: 'POST',
            path: crmPaths.batch(objectType, 'create'),
            accessToken: access.accessToken,
            json: { inputs: inputs.map(input) },
            readable: hasResults,
          },
          options,
        ),
      ),
    batchUpdate: async (access, objectType, inputs, options) => {
      const json = { inputs: inputs.map((entry) => ({ id: entry.id, ...input(entry) })) };
      return batch(
        await call(
          {
            method: 'POST',
            path: crmPaths.batch(objectType, 'update'),
            accessToken: access.accessToken,
            json,
            readable: hasResults,
          },
          options,
        ),
      );
    },
    batchUpsert: async (access, objectType, idProperty, inputs, options) => {
      const json = { inputs: inputs.map((entry) => ({ id: entry.id, idProperty, ...input(entry) })) };
      return batch(
        await call(
          {
            method: 'POST',
            path: crmPaths.batch(objectType, 'upsert'),
            accessToken: access.accessToken,
            json,
            readable: hasResults,
          },
          options,
        ),
      );
    },
    batchArchive: async (access, objectType, ids, options) => {
      const path = crmPaths.batch(objectType, 'archive');
      const json = { inputs: ids.map((id) => ({ id })) };
      const { accessToken } = access;
      return mapResult(await call<unknown>({ method: 'POST', path, accessToken, json, readable: anything }, options), () => null);
    },
    search: async (access, objectType, search, options) => {
      const answer = await call<{ results?: WireRecord[]; total?: number; paging?: { next?: { after?: string } } }>(
        {
          method: 'POST',
          path: crmPaths.search(objectType),
          accessToken: access.accessToken,
          json: search,
          readable: hasResults,
        },
        options,
      );
      return mapResult(answer, (page) => ({
        results: (page?.results ?? []).map(toCrmRecord),
        total: page?.total ?? 0,
        after: page?.paging?.next?.after ?? null,
      }));
    },
    close: () => agent.close(),
  };
}
