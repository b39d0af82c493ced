import type { RecordWrite } from '@sluice/ports';
import { createBoundedCache } from '../shared/bounded-cache';
import { classOfUnit, type UnitContext } from '../shared/unit-context';

/** Kinds of writes whose share is kept; of a dropped kind it is learned again. */
const maxKinds = 10_000;
/** What one write adds to the share: the last hundred writes decide it. */
const weight = 1 / 32;
/** A refused create is one call more, and those that follow it are rarely full: above this share of known records they read. */
const mostKnown = 1 / 20;

/**
 * Which guarded writes create their record before they look for it (ADR 0340).
 *
 * Invariant: a create comes first only while almost all of the last writes of the same connector, entity and class, accepted at
 * the same time (as rows of one import are), made a record. Their first writes read, unless `expected`.
 */
export class NewRecords {
  /** By kind of write: the share of the last writes whose record was there already, or could not be created. */
  private readonly known = createBoundedCache<{ share: number }>(maxKinds);

  /** @param expected whether the first writes of a kind create */
  constructor(private readonly expected: boolean) {}

  /** Whether the write creates first. A retried one reads: its earlier attempt may have made the record. */
  expects(unit: UnitContext, write: RecordWrite): boolean {
    if (!unit.guarded || unit.retried) return false;
    return (this.known.get(kindOf(unit, write))?.share ?? this.atFirst) <= mostKnown;
  }

  /** The write found no record, or created one; or else there was one, or the CRM refused to create it. */
  met(unit: UnitContext, write: RecordWrite, isNew: boolean): void {
    if (!unit.guarded || unit.retried) return;
    const kind = kindOf(unit, write);
    const share = this.known.get(kind)?.share ?? this.atFirst;
    this.known.set(kind, { share: share + weight * ((isNew ? 0 : 1) - share) });
  }

  private get atFirst(): number {
    return this.expected ? 0 : 1;
  }
}

const kindOf = (unit: UnitContext, { entity, objectType }: RecordWrite): string =>
  JSON.stringify([unit.connectorId, entity, objectType, classOfUnit(unit), unit.position.acceptedAt]);
