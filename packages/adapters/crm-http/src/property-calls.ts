import type { CrmClient, CrmPropertyDefinition } from '@sluice/ports';
import { toItemErrors, type WireBatch } from './batch-answer';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import { anything, hasResults, type WireCall } from './wire-call';

type PropertyCalls = Pick<
  CrmClient,
  'properties' | 'createProperties' | 'updatePropertyOptions' | 'propertyGroups' | 'createPropertyGroup'
>;

type WireProperty = CrmPropertyDefinition & {
  modificationMetadata?: { readOnlyValue?: boolean; readOnlyOptions?: boolean };
  calculated?: boolean;
};

const toDefinition = ({ modificationMetadata, calculated, ...property }: WireProperty): CrmPropertyDefinition => ({
  ...property,
  readOnly: modificationMetadata?.readOnlyValue === true || calculated === true,
  readOnlyOptions: modificationMetadata?.readOnlyOptions === true,
});

const onWire = ({ readOnly: _readOnly, readOnlyOptions: _readOnlyOptions, ...definition }: CrmPropertyDefinition): object =>
  definition;

const isProperty = (body: Partial<Record<string, unknown>>): boolean => typeof body['name'] === 'string';

/** Properties v3 (docs/reference/crm-api.md, Properties). */
export function createPropertyCalls(call: WireCall): PropertyCalls {
  return {
    properties: async (access, objectType, options) =>
      mapResult(
        await call<{ results?: WireProperty[] }>(
          { method: 'GET', path: crmPaths.properties(objectType), accessToken: access.accessToken, readable: hasResults },
          options,
        ),
        (list) => (list?.results ?? []).map(toDefinition),
      ),
    createProperties: async (access, objectType, definitions, options) => {
      const json = { inputs: definitions.map(onWire) };
      const answer = await call<Omit<WireBatch, 'results'> & { results?: { name?: string }[] }>(
        {
          method: 'POST',
          path: crmPaths.propertiesCreate(objectType),
          accessToken: access.accessToken,
          json,
          readable: hasResults,
        },
        options,
      );
      return mapResult(answer, (batch) => ({
        created: (batch?.results ?? []).map((result) => result.name ?? ''),
        errors: toItemErrors(batch?.errors),
      }));
    },
    updatePropertyOptions: async (access, objectType, property, list, options) =>
      mapResult(
        await call<unknown>(
          {
            method: 'PATCH',
            path: crmPaths.property(objectType, property),
            accessToken: access.accessToken,
            json: { options: list },
            readable: isProperty,
          },
          options,
        ),
        () => null,
      ),
    propertyGroups: async (access, objectType, options) =>
      mapResult(
        await call<{ results?: { name: string; label: string }[] }>(
          { method: 'GET', path: crmPaths.propertyGroups(objectType), accessToken: access.accessToken, readable: hasResults },
          options,
        ),
        (list) => list?.results ?? [],
      ),
    createPropertyGroup: async (access, objectType, group, options) =>
      mapResult(
        await call<unknown>(
          {
            method: 'POST',
            path: crmPaths.propertyGroups(objectType),
            accessToken: access.accessToken,
            json: group,
            readable: anything,
          },
          options,
        ),
        () => null,
      ),
  };
}
