import type { ConflictPolicy, Conflicts } from '@sluice/contracts/config-document';
import type { FlowContext } from '../flow-context';
import { comparableNumber } from '../expressions/instant';
import { compileReference } from '../expressions/reference';

/** How the writes of one event treat edits made outside of Sluice (docs/reference/conflicts.md). */
export interface WriteArbitration {
  strategy: 'target_wins' | 'most_recent';
  perProperty: boolean;
  /** When the source changed its record, ISO 8601; null: the event has no such time. */
  modifiedAt: string | null;
}

/** The arbitration of an event; null: the source wins, and nothing is checked. */
export type ArbitrationOf = (ctx: FlowContext) => WriteArbitration | null;

/** Numbers below it are seconds, others milliseconds: as milliseconds it is a time in 1973, as seconds one far in the future. */
const secondsBelow = 100_000_000_000;

/** Compiles the policy of an entity: from its own entry, else from the block for all. Throws ExpressionError. */
export function compileConflicts(entityName: string, conflicts: Conflicts | undefined): ArbitrationOf {
  const { entities = {}, ...general } = conflicts ?? {};
  const policy: ConflictPolicy = { ...general, ...(Object.hasOwn(entities, entityName) ? entities[entityName] : {}) };
  const { strategy = 'source_wins', source_modified_path: path, per_property_freshness: perProperty = false } = policy;
  const modified = path === undefined ? null : compileReference(path);
  if (strategy === 'source_wins') return () => null;
  return (ctx) => ({ strategy, perProperty, modifiedAt: instantOf(modified?.first(ctx)) ?? instantOf(ctx.timestamp) });
}

function instantOf(value: unknown): string | null {
  const number = comparableNumber(value);
  if (number === null) return null;
  const isCount = typeof value === 'number' || !String(value).includes('-');
  const ms = isCount && Math.abs(number) < secondsBelow ? number * 1_000 : number;
  // A time outside the range of a Date counts as none.
  return Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString();
}
