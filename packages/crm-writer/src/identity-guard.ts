import type { CallFailure, CallResult, CrmRecord, PropertyValue, RecordWrite } from '@sluice/ports';
import { normalizeIdentity } from './normalize-identity';
import type { RecordCalls } from './record-calls';
import type { UnitContext } from './unit-context';

/** How the record that is about to be written is known: by its CRM id (`property` null) or by a unique property. */
export interface KnownBy {
  property: string | null;
  value: string;
}

/**
 * The identity guard (docs/reference/identity-and-associations.md): an existing record on which more than `max_changed` of the
 * guarded properties would change is not written, and the event ends `quarantined`. The record is read only when the entity has a
 * guard and the event writes more than `max_changed` of the guarded properties. A forced replay passes it.
 */
export interface IdentityGuard {
  /** Why the write is refused, or why that cannot be told now; null: it may be sent. */
  refusal(unit: UnitContext, write: RecordWrite, known: KnownBy): Promise<CallFailure | null>;
}

export function createIdentityGuard(calls: Pick<RecordCalls, 'read'>): IdentityGuard {
  return {
    refusal: async (unit, write, { property, value }) => {
      const guard = write.guard;
      const watched = (guard?.properties ?? []).filter((name) => write.properties[name] !== undefined);
      if (!guard || unit.forced || watched.length <= guard.max_changed) return null;
      const read: CallResult<CrmRecord | null> = await calls.read(write.objectType, property, watched, { unit, value });
      if (!read.ok) return read;
      if (!read.value) return null;
      const held = read.value.properties;
      const changed = watched.filter((name) => !sameValue(name, held[name] ?? null, write.properties[name]!));
      if (changed.length <= guard.max_changed) return null;
      const message = `${changed.length} of the guarded properties would change on record ${read.value.id} (${changed.join(', ')}); at most ${guard.max_changed} may`;
      return { ok: false, kind: 'permanent', code: 'identity_guard', message };
    },
  };
}

const decimal = /^[+-]?\d+(\.\d+)?$/;
const dated = /^\d{4}-\d{2}-\d{2}/;

/** Whether the CRM would show the same after the write: it keeps texts, and writes numbers and times in its own way. */
function sameValue(name: string, held: string | null, written: PropertyValue): boolean {
  const [before, after] = [normalizeIdentity(name, held ?? ''), normalizeIdentity(name, written === null ? '' : String(written))];
  if (before === after) return true;
  if (decimal.test(before) && decimal.test(after)) return Number(before) === Number(after);
  return dated.test(before) && dated.test(after) && Date.parse(before) === Date.parse(after);
}
