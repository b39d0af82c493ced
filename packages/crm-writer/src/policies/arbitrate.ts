import type { Arbitration, ConflictWinner, CrmChange, CrmRecord, PropertyValue } from '@sluice/ports';
import { sameValue } from '../shared/same-value';

/** A property that was set both by the event and outside of Sluice. */
export interface Arbitrated {
  property: string;
  sourceValue: string | null;
  targetValue: string | null;
  targetModifiedAt: string | null;
  targetModifiedBy: string | null;
  winner: ConflictWinner;
}

export interface ArbitrationInput {
  properties: Readonly<Record<string, PropertyValue>>;
  current: Pick<CrmRecord, 'properties' | 'lastChanges'>;
  policy: Arbitration;
  /** Milliseconds since the epoch: when the source changed its record. */
  modifiedAt: number;
  /** The id of Sluice's own app; null: it is unknown, and every write by an app counts as own. */
  tokenApp: string | null;
}

/** Decides who wins each property whose value would change and was last edited outside of Sluice. Pure. */
export function arbitrate({ properties, current, policy, modifiedAt, tokenApp }: ArbitrationInput): Arbitrated[] {
  const contested = Object.entries(properties).flatMap(([property, value]) => {
    const targetValue = current.properties[property] ?? null;
    const change = current.lastChanges?.[property];
    if (!change || isOwn(change, tokenApp) || sameValue(property, targetValue, value)) return [];
    return [{ property, value, targetValue, change, changedAt: Date.parse(change.at) }];
  });
  const newest = Math.max(...contested.map(({ changedAt }) => changedAt));
  return contested.map(({ property, value, targetValue, change, changedAt }) => ({
    property,
    sourceValue: value === null || value === '' ? null : String(value),
    targetValue,
    targetModifiedAt: Number.isNaN(changedAt) ? null : new Date(changedAt).toISOString(),
    targetModifiedBy: change.sourceId?.replace(/^userId:/, '') ?? (change.sourceType || null),
    winner: winnerOf(policy, modifiedAt, policy.perProperty ? changedAt : newest),
  }));
}

/** Of two edits at the same time the source wins. */
function winnerOf({ strategy }: Arbitration, sourceAt: number, targetAt: number): ConflictWinner {
  if (strategy === 'target_wins') return 'target';
  return targetAt > sourceAt ? 'target' : 'source';
}

const isOwn = ({ sourceType, sourceId }: CrmChange, tokenApp: string | null): boolean =>
  sourceType === 'INTEGRATION' && (tokenApp === null || sourceId === null || sourceId === tokenApp);
