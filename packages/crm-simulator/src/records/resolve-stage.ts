import type { BadValue } from '../definitions/validate-value';
import type { ObjectType } from '../model/object-types';
import type { Pipeline } from '../model/pipelines';
import type { PortalState } from '../state/portal-state';

type Outcome = (BadValue & { readonly name: string }) | { readonly set: Record<string, string> } | undefined;

const idsOf = (pipelines: readonly Pipeline[]): string => `[${pipelines.map((pipeline) => pipeline.id).join(', ')}]`;

/**
 * Checks pipeline and stage of a write together: a stage must belong to the pipeline the record then has.
 * Gives the pipeline to add when a type with a single pipeline is given a stage alone.
 */
export function resolveStage(
  portal: PortalState,
  type: ObjectType,
  values: Readonly<Record<string, string>>,
  existing: Readonly<Record<string, string>> | undefined,
): Outcome {
  const names = type.pipelineProperties;
  if (!names) return undefined;
  const pipelineId = values[names.pipeline];
  const stageId = values[names.stage];
  if (!pipelineId && !stageId) return undefined;
  const pipelines = [...portal.space(type).pipelines.values()].filter((pipeline) => !pipeline.archived);
  const chosen = pipelineId || existing?.[names.pipeline] || (pipelines.length === 1 ? pipelines[0]!.id : undefined);
  const pipeline = pipelines.find((one) => one.id === chosen);
  if (!pipeline) {
    if (chosen === undefined && existing === undefined) return undefined;
    return {
      name: names.pipeline,
      code: 'INVALID_OPTION',
      message: `${chosen ?? ''} is not a valid pipeline ID. Valid options are: ${idsOf(pipelines)}`,
    };
  }
  const stage = stageId || existing?.[names.stage];
  if (stage !== undefined && !pipeline.stages.has(stage)) {
    const valid = [...pipeline.stages.keys()].join(', ');
    return {
      name: names.stage,
      code: 'INVALID_OPTION',
      message: `${stage} is not a valid pipeline stage ID. Valid options are: pipelineId=${pipeline.id} : [${valid}]`,
    };
  }
  return pipelineId ? undefined : { set: { [names.pipeline]: pipeline.id } };
}
