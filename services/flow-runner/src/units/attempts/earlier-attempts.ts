import type { ConnectorChange } from '@sluice/contracts';
import { haveWritten } from '@sluice/flow-run';
import type { KeptSteps } from '@sluice/ports';
import type { Unit } from '../unit';

/** The binding epoch in force; null: no portal is bound. */
export const bindingOf = ({ binding }: Pick<ConnectorChange, 'binding'>): number | null => binding?.epoch ?? null;

/** Whether an earlier attempt of the unit wrote: what went to the portal of another binding does not count. */
export function hasWritten({ held }: Pick<Unit, 'held'>, binding: number | null): boolean {
  if (!held) return false;
  // A row without kept steps that says `wrote` is of an older version.
  return held.keptSteps === null ? held.wrote : haveWritten(held.keptSteps, binding);
}

/** What was kept under the binding, and what depends on none. */
export const ofBinding = (kept: KeptSteps | null, binding: number | null): KeptSteps | null =>
  kept && Object.fromEntries(Object.entries(kept).filter(([, { epoch }]) => epoch === null || epoch === binding));

/** The record that earlier attempts wrote first, for the row of a unit that is not run again. */
export function firstRecord(kept: KeptSteps | null) {
  const steps = Object.entries(kept ?? {}).filter(([, { wrote }]) => wrote);
  const [id, step] = steps.find(([, { items }]) => items.length === 0) ?? [];
  if (id === undefined || !step) return {};
  const textOf = (name: string): string | null => {
    const value = step.output?.[name];
    return typeof value === 'string' ? value : null;
  };
  const record = { entityName: textOf('entity'), externalId: textOf('external_id'), crmId: textOf('crm_id') };
  return { ...record, action: step.action, stepId: id };
}
