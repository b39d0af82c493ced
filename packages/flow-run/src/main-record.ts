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
 * The facts of the first record write of a run, else of the first association. A write that names its entity is preferred to a
 * request without one, which says nothing of the record; a write of one record to a bulk step, whose records have their own rows.
 */
export function mainRecord(flow: Flow, reports: readonly StepReport[]): MainRecord {
  const entityOf = ({ id, output }: StepReport): string | null =>
    textOf(output?.['entity']) ?? textOf(flow.flow.steps.find((step) => step.id === id)?.['entity']);
  const main =
    reports.find((report) => isSingleWrite(report) && entityOf(report) !== null) ??
    reports.find(isSingleWrite) ??
    reports.find((report) => hasEffect(report, 'write')) ??
    reports.find((report) => hasEffect(report, 'associate'));
  return {
    entityName: main === undefined ? null : entityOf(main),
    externalId: textOf(main?.output?.['external_id']),
    crmId: textOf(main?.output?.['crm_id']),
    action: main?.action ?? null,
    stepId: main?.id ?? null,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
