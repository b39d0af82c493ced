import type { CrmDefinitionCalls, CrmObjectSchema, CrmPipeline, CrmPipelineStage } from '@sluice/ports';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import { hasResults, type WireCall, type WireRequest } from './wire-call';

interface WireStage {
  id?: string | number;
  label?: string;
  displayOrder?: number;
  metadata?: Record<string, string>;
  archived?: boolean;
}

interface WirePipeline {
  id?: string | number;
  label?: string;
  displayOrder?: number;
  stages?: WireStage[];
  archived?: boolean;
}

const toStage = ({ id, label, displayOrder, metadata }: WireStage): CrmPipelineStage => ({
  id: String(id ?? ''), label: label ?? '', displayOrder: displayOrder ?? 0, metadata: metadata ?? {},
});

const live = <T extends { archived?: boolean }>(all: readonly T[] | undefined): T[] => (all ?? []).filter((one) => !one.archived);

const toPipeline = ({ id, label, displayOrder, stages }: WirePipeline): CrmPipeline => ({
  id: String(id ?? ''), label: label ?? '', displayOrder: displayOrder ?? 0, stages: live(stages).map(toStage),
});

const toSchema = (body: Partial<CrmObjectSchema> | undefined): CrmObjectSchema => ({
  name: body?.name ?? '', objectTypeId: body?.objectTypeId ?? '', fullyQualifiedName: body?.fullyQualifiedName ?? '',
});

const isSchema: WireRequest['readable'] = (body) => typeof body['objectTypeId'] === 'string';
const hasId: WireRequest['readable'] = (body) => body['id'] !== undefined;

/** Custom object schemas v3 and pipelines v3 (docs/reference/crm-api.md). */
export function createDefinitionCalls(call: WireCall): CrmDefinitionCalls {
  return {
    objectSchema: async ({ accessToken }, objectType, options) =>
      mapResult(
        await call<CrmObjectSchema>(
          { method: 'GET', path: crmPaths.schema(objectType), accessToken, readable: isSchema },
          options,
        ),
        toSchema,
      ),
    createObjectSchema: async ({ accessToken }, schema, options) =>
      mapResult(
        await call<CrmObjectSchema>(
          { method: 'POST', path: crmPaths.schemas, accessToken, json: schema, readable: isSchema },
          options,
        ),
        toSchema,
      ),
    pipelines: async ({ accessToken }, objectType, options) =>
      mapResult(
        await call<{ results?: WirePipeline[] }>(
          { method: 'GET', path: crmPaths.pipelines(objectType), accessToken, readable: hasResults },
          options,
        ),
        (list) => live(list?.results).map(toPipeline),
      ),
    createPipeline: async ({ accessToken }, objectType, pipeline, options) =>
      mapResult(
        await call<WirePipeline>(
          { method: 'POST', path: crmPaths.pipelines(objectType), accessToken, json: pipeline, readable: hasId },
          options,
        ),
        (made) => toPipeline(made ?? {}),
      ),
    createPipelineStage: async ({ accessToken }, objectType, pipelineId, stage, options) =>
      mapResult(
        await call<WireStage>(
          { method: 'POST', path: crmPaths.pipelineStages(objectType, pipelineId), accessToken, json: stage, readable: hasId },
          options,
        ),
        (made) => toStage(made ?? {}),
      ),
  };
}
