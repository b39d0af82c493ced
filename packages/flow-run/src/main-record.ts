import type { CompiledFlow, Effect, StepReport } from '@sluice/flow-engine';

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
export const wroteSingle = (reports: readonly StepReport[]): boolean => reports.some(isSingleWrite);

const isSingleWrite = (report: StepReport): boolean => report.items === undefined && hasEffect(report, 'write');

const hasEffect = ({ status, effect }: StepReport, wanted: Effect): boolean => status !== 'skipped' && effect === wanted;

/**
 * The facts of the first record write of a run, else of the first association. A write of one record is preferred to a bulk step,
 * whose records have their own rows.
 */
export function mainRecord(flow: Flow, reports: readonly StepReport[]): MainRecord {
  const main =
    reports.find(isSingleWrite) ??
    reports.find((report) => hasEffect(report, 'write')) ??
    reports.find((report) => hasEffect(report, 'associate'));
  const step = flow.flow.steps.find((candidate) => candidate.id === main?.id);
  return {
    entityName: textOf(main?.output?.['entity']) ?? textOf(step?.['entity']),
    externalId: textOf(main?.output?.['external_id']),
    crmId: textOf(main?.output?.['crm_id']),
    action: main?.action ?? null,
    stepId: main?.id ?? null,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
