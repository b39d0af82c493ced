import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { boolParam, jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { Pipeline, Stage } from '../model/pipelines';
import { schemaScopes, typeOfCall } from '../http/type-of-call';
import { readPipeline, readStage, refuseSameLabel } from './read-pipeline';

const iso = (ms: number): string => new Date(ms).toISOString();

const showStage = (stage: Stage): Record<string, unknown> => ({
  ...stage,
  createdAt: iso(stage.createdAt),
  updatedAt: iso(stage.updatedAt),
  writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT',
});

const byOrder = <T extends { displayOrder: number }>(list: Iterable<T>): T[] =>
  [...list].sort((a, b) => a.displayOrder - b.displayOrder);

const showPipeline = (pipeline: Pipeline): Record<string, unknown> => ({
  ...pipeline,
  stages: byOrder(pipeline.stages.values()).map(showStage),
  createdAt: iso(pipeline.createdAt),
  updatedAt: iso(pipeline.updatedAt),
});

function pipelinesOf(call: PortalCall): Map<string, Pipeline> {
  const type = typeOfCall(call);
  if (!type.pipelineProperties) refuse(invalid(`${type.legacyName} does not support pipelines`));
  return call.portal.space(type).pipelines;
}

const find = (call: PortalCall): Pipeline =>
  pipelinesOf(call).get(call.params['id']!) ?? refuse(notFound(`Pipeline ${call.params['id']} does not exist`));
const findStage = (call: PortalCall): Stage =>
  find(call).stages.get(call.params['sid']!) ?? refuse(notFound(`Stage ${call.params['sid']} does not exist`));

/** Whether live records hold a pipeline, or one of its stages. */
function inUse(call: PortalCall, pipelineId: string, stageId?: string): boolean {
  const type = typeOfCall(call);
  const names = type.pipelineProperties!;
  return [...call.portal.space(type).store.records.values()].some(
    (record) =>
      !record.archived &&
      record.properties[names.pipeline] === pipelineId &&
      (stageId === undefined || record.properties[names.stage] === stageId),
  );
}

function create(call: PortalCall): Answer {
  const pipelines = pipelinesOf(call);
  const made = readPipeline(call.portal, typeOfCall(call), jsonBody(call.rawBody));
  refuseSameLabel(made.label, made.id, pipelines.values(), 'pipeline');
  if (pipelines.has(made.id)) refuse({ status: 409, category: 'CONFLICT', message: `Pipeline ${made.id} already exists` });
  pipelines.set(made.id, made);
  return answer(201, showPipeline(made));
}

function replace(call: PortalCall): Answer {
  const before = find(call);
  const made = readPipeline(call.portal, typeOfCall(call), jsonBody(call.rawBody), before);
  refuseSameLabel(made.label, made.id, pipelinesOf(call).values(), 'pipeline');
  pipelinesOf(call).set(made.id, made);
  return answer(200, showPipeline(made));
}

function update(call: PortalCall): Answer {
  const before = find(call);
  const body = jsonBody(call.rawBody);
  const label = typeof body['label'] === 'string' ? body['label'] : before.label;
  refuseSameLabel(label, before.id, pipelinesOf(call).values(), 'pipeline');
  const made = {
    ...before,
    label,
    displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : before.displayOrder,
    updatedAt: call.portal.now(),
  };
  pipelinesOf(call).set(made.id, made);
  return answer(200, showPipeline(made));
}

function remove(call: PortalCall): Answer {
  const pipeline = find(call);
  const validate = ['validateReferencesBeforeDelete', 'validateDealStageUsagesBeforeDelete'].some((name) =>
    boolParam(call.query, name),
  );
  if (validate && inUse(call, pipeline.id))
    refuse(invalid(`Pipeline ${pipeline.id} is in use`, { subCategory: 'PipelineError.PIPELINE_IN_USE' }));
  pipelinesOf(call).delete(pipeline.id);
  return noContent;
}

function putStage(call: PortalCall, stage: Stage): void {
  const pipeline = find(call);
  refuseSameLabel(stage.label, stage.id, pipeline.stages.values(), 'stage');
  pipelinesOf(call).set(pipeline.id, {
    ...pipeline,
    stages: new Map(pipeline.stages).set(stage.id, stage),
    updatedAt: call.portal.now(),
  });
}

function createStage(call: PortalCall): Answer {
  const pipeline = find(call);
  const stage = readStage(call.portal, typeOfCall(call), jsonBody(call.rawBody));
  if (pipeline.stages.has(stage.id)) refuse({ status: 409, category: 'CONFLICT', message: `Stage ${stage.id} already exists` });
  putStage(call, stage);
  return answer(201, showStage(stage));
}

function updateStage(call: PortalCall): Answer {
  const stage = readStage(call.portal, typeOfCall(call), jsonBody(call.rawBody), findStage(call));
  putStage(call, stage);
  return answer(200, showStage(stage));
}

function removeStage(call: PortalCall): Answer {
  const pipeline = find(call);
  const stage = findStage(call);
  if (inUse(call, pipeline.id, stage.id))
    refuse(invalid(`Stage ${stage.id} is in use`, { subCategory: 'PipelineError.STAGE_ID_IN_USE' }));
  const stages = new Map(pipeline.stages);
  stages.delete(stage.id);
  pipelinesOf(call).set(pipeline.id, { ...pipeline, stages, updatedAt: call.portal.now() });
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const read = { ...base, method: 'GET', scopes: schemaScopes('read') } as const;
const write = { ...base, scopes: schemaScopes('write') } as const;
const one = '/pipelines/:t/:id';

/** Pipelines and stages (docs/reference/crm-api.md, Pipelines). Audits are always empty. */
export const pipelineRoutes: readonly PortalRoute[] = [
  {
    ...read,
    path: '/pipelines/:t',
    handle: (call) => answer(200, { results: byOrder(pipelinesOf(call).values()).map(showPipeline) }),
  },
  { ...write, method: 'POST', path: '/pipelines/:t', handle: create },
  { ...read, path: one, handle: (call) => answer(200, showPipeline(find(call))) },
  { ...write, method: 'PUT', path: one, handle: replace },
  { ...write, method: 'PATCH', path: one, handle: update },
  { ...write, method: 'DELETE', path: one, handle: remove },
  {
    ...read,
    path: `${one}/audit`,
    handle: (call) => {
      find(call);
      return answer(200, { results: [] });
    },
  },
  {
    ...read,
    path: `${one}/stages`,
    handle: (call) => answer(200, { results: byOrder(find(call).stages.values()).map(showStage) }),
  },
  { ...write, method: 'POST', path: `${one}/stages`, handle: createStage },
  { ...read, path: `${one}/stages/:sid`, handle: (call) => answer(200, showStage(findStage(call))) },
  { ...write, method: 'PUT', path: `${one}/stages/:sid`, handle: updateStage },
  { ...write, method: 'PATCH', path: `${one}/stages/:sid`, handle: updateStage },
  { ...write, method: 'DELETE', path: `${one}/stages/:sid`, handle: removeStage },
  {
    ...read,
    path: `${one}/stages/:sid/audit`,
    handle: (call) => {
      findStage(call);
      return answer(200, { results: [] });
    },
  },
];
