import type { CompiledFlow, StepReport } from '@sluice/flow-engine';

/** The record that a run is about. */
export interface MainRecord {
  entityName: string | null;
  externalId: string | null;
  crmId: string | null;
  action: string | null;
  stepId: string | null;
}

/** What the first record write of a run says, else the first association. */
export function mainRecord(flow: CompiledFlow<never> | CompiledFlow<unknown>, reports: readonly StepReport[]): MainRecord {
  const withEffect = (effect: string): StepReport | undefined =>
    reports.find((report) => flow.steps.find((step) => step.id === report.id)?.effect === effect && report.status !== 'skipped');
  const main = withEffect('write') ?? withEffect('associate');
  const step = flow.flow.steps.find((candidate) => candidate.id === main?.id);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    entityName: text(main?.output?.['entity']) ?? text(step?.['entity']) ?? null,
    externalId: text(main?.output?.['external_id']),
    crmId: text(main?.output?.['crm_id']),
    action: main?.action ?? null,
    stepId: main?.id ?? null,
  };
}
