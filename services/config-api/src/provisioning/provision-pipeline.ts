import type { Pipeline } from '@sluice/contracts';
import type { PortalCalls } from './open-portal';
import { type PipelinePlan, pipelineSubject, planPipeline } from './plan-pipeline';
import { addError, addFailure, type Provisioned, type ProvisioningReport } from './report';

/** Creates a declared pipeline and its stages. An existing one with the same label is not changed. */
export async function provisionPipeline(portal: PortalCalls, pipeline: Pipeline, report: ProvisioningReport): Promise<void> {
  if ((await attempt(portal, pipeline, report)) || (await attempt(portal, pipeline, report))) return;
  addError(report, pipelineSubject(pipeline), 'the CRM says that the label is taken, and lists no pipeline with it');
}

/** False: another client created the pipeline meanwhile, and it must be read again. */
async function attempt(portal: PortalCalls, pipeline: Pipeline, report: ProvisioningReport): Promise<boolean> {
  const plan = await planPipeline(portal, pipeline, report);
  if (plan === null) return true;
  const done: Provisioned = { ...plan.subject, created: [], skipped_existing: plan.existing };
  if (plan.missing.length > 0 && plan.id === null && !(await createPipeline(portal, plan, done, report))) return false;
  report.provisioned.push(done);
  if (plan.id !== null) await createStages(portal, plan, plan.id, done, report);
  return true;
}

async function createPipeline(
  portal: PortalCalls, plan: PipelinePlan, done: Provisioned, report: ProvisioningReport,
): Promise<boolean> {
  const { label, object_type: objectType } = plan.pipeline;
  const made = await portal.createPipeline(objectType, { label, displayOrder: plan.displayOrder, stages: plan.missing });
  if (made.ok) done.created.push(...plan.missing.map((stage) => stage.label));
  else if (made.code === 'crm_conflict') return false;
  else addFailure(report, plan.subject, `the pipeline '${label}' cannot be created`, made);
  return true;
}

async function createStages(
  portal: PortalCalls, plan: PipelinePlan, id: string, done: Provisioned, report: ProvisioningReport,
): Promise<void> {
  for (const stage of plan.missing) {
    if (report.lost) return;
    const made = await portal.createPipelineStage(plan.pipeline.object_type, id, stage);
    if (made.ok) done.created.push(stage.label);
    // Another client created it meanwhile.
    else if (made.code === 'crm_conflict') done.skipped_existing.push(stage.label);
    else addFailure(report, plan.subject, `the stage '${stage.label}' cannot be created`, made);
  }
}
