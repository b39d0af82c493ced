import type { CompiledFlow, StepReport } from '@sluice/flow-engine';

/** The record that a run is about. */
export interface MainRecord {
  entityName: string | null;
  externalId: string | null;
  crmId: string | null;
  action: string | null;
  stepId: string | null;
}

type Flow = CompiledFlow<never> | CompiledFlow<unknown>;

/** Whether a step of the run was to write one record of its own, or a bulk step failed before it came to its list. */
export const wroteSingle = (flow: Flow, reports: readonly StepReport[]): boolean =>
  reports.some((report) => isSingleWrite(flow, report));

const isSingleWrite = (flow: Flow, { id, status, items }: StepReport): boolean =>
  status !== 'skipped' && items === undefined && flow.steps.find((step) => step.id === id)?.effect === 'write';

/**
 * What the first record write of a run says, else the first association. A write of one record comes before a bulk step, whose
 * records have rows of their own.
 */
export function mainRecord(flow: Flow, reports: readonly StepReport[]): MainRecord {
  const withEffect = (effect: string): StepReport | undefined =>
    reports.find((report) => flow.steps.find((step) => step.id === report.id)?.effect === effect && report.status !== 'skipped');
  const single = reports.find((report) => isSingleWrite(flow, report));
  const main = single ?? withEffect('write') ?? withEffect('associate');
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
