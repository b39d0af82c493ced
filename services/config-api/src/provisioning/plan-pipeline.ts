import type { Pipeline, PipelineStage } from '@sluice/contracts';
import type { NewCrmPipelineStage } from '@sluice/ports';
import type { PortalCalls } from './open-portal';
import { addError, addFailure, type ProvisioningReport, type Subject } from './report';

/** What a declared pipeline still needs of the portal. */
export interface PipelinePlan {
  subject: Subject;
  pipeline: Pipeline;
  /** null: the pipeline itself is created. */
  id: string | null;
  missing: NewCrmPipelineStage[];
  existing: string[];
  /** How many pipelines, or stages of this one, the portal has: what is created comes after them. */
  displayOrder: number;
}

const dealTypes = new Set(['deals', 'deal', '0-3']);
const ticketTypes = new Set(['tickets', 'ticket', '0-5']);

/** Labels are the same to the CRM when they differ in case only. */
const sameLabel = (a: { label: string }, b: { label: string }): boolean => a.label.toLowerCase() === b.label.toLowerCase();

export const pipelineSubject = ({ label, object_type }: Pipeline): Subject => ({ entity: `pipeline:${label}`, object_type });

/** Compares a declared pipeline with the portal's, by label. Null with errors in the report as `planEntity`. */
export async function planPipeline(
  portal: PortalCalls,
  pipeline: Pipeline,
  report: ProvisioningReport,
): Promise<PipelinePlan | null> {
  const subject = pipelineSubject(pipeline);
  const known = await portal.pipelines(pipeline.object_type);
  if (!known.ok) {
    addFailure(report, subject, `the pipelines of '${pipeline.object_type}' cannot be read`, known);
    return null;
  }
  const existing = known.value.find((one) => sameLabel(one, pipeline));
  return stagesOf(pipeline, existing, known.value.length, report);
}

/** @param existing the pipeline of the portal with this label */
export function stagesOf(
  pipeline: Pipeline,
  existing: { id: string; stages: { label: string }[] } | undefined,
  pipelines: number,
  report: ProvisioningReport,
): PipelinePlan | null {
  const subject = pipelineSubject(pipeline);
  const has = (stage: PipelineStage): boolean => existing?.stages.some((one) => sameLabel(one, stage)) ?? false;
  const problems = pipeline.stages.flatMap((stage) => (has(stage) ? [] : stageProblems(pipeline, stage)));
  for (const problem of problems) addError(report, subject, problem);
  if (problems.length > 0) return null;
  const before = existing?.stages.length ?? 0;
  return {
    subject, pipeline, id: existing?.id ?? null, displayOrder: existing ? before : pipelines,
    existing: pipeline.stages.flatMap((stage) => (has(stage) ? [stage.label] : [])),
    missing: pipeline.stages
      .filter((stage) => !has(stage))
      .map((stage, index) => ({ label: stage.label, displayOrder: before + index, metadata: metadataOf(pipeline, stage) })),
  };
}

/** Why a stage cannot be created. */
function stageProblems({ object_type: objectType }: Pipeline, { label, probability, closed }: PipelineStage): string[] {
  const problems: string[] = [];
  if (!dealTypes.has(objectType)) return problems;
  if (probability === undefined && closed === true)
    problems.push(`the closed deal stage '${label}' needs a probability: 1 for won, 0 for lost`);
  if (probability !== undefined && Math.abs(Math.round(probability * 10) - probability * 10) > 1e-9)
    problems.push(`the probability of the deal stage '${label}' must be a multiple of 0.1`);
  return problems;
}

/** What the CRM wants to know of a stage: of a deal its probability, of a ticket whether it is closed. */
function metadataOf({ object_type: objectType, stages }: Pipeline, stage: PipelineStage): Record<string, string> {
  if (ticketTypes.has(objectType)) return { ticketState: stage.closed ? 'CLOSED' : 'OPEN' };
  if (!dealTypes.has(objectType)) return {};
  return { probability: (stage.probability ?? probabilityByPlace(stages, stage)).toFixed(1) };
}

/** An open stage without a probability: the further down the pipeline the likelier, 0.1 to 0.9. */
function probabilityByPlace(stages: readonly PipelineStage[], stage: PipelineStage): number {
  const place = (stages.indexOf(stage) + 1) / (stages.length + 1);
  return Math.min(0.9, Math.max(0.1, Math.round(place * 10) / 10));
}
