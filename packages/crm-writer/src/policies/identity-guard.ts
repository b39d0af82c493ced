import { sameValue } from '../shared/same-value';
import { proceed, type WritePolicy, type WriteSubject } from './write-policy';

/**
 * The identity guard (docs/reference/identity-and-associations.md): an existing record on which more than `max_changed` of the
 * guarded properties would change is not written, and the event ends `quarantined`. The record is read only when the entity has a
 * guard and the event writes more than `max_changed` of the guarded properties. A forced replay is not checked.
 */
export const identityGuard: WritePolicy = {
  concerns: (subject) => watched(subject).length > 0,
  reads: (subject) => ({ properties: watched(subject) }),
  judge: (subject, current) => {
    const { guard, properties } = subject.write;
    if (!guard || !current) return proceed;
    const changed = watched(subject).filter((name) => !sameValue(name, current.properties[name] ?? null, properties[name]!));
    if (changed.length <= guard.max_changed) return proceed;
    const message = `${changed.length} of the guarded properties would change on record ${current.id} (${changed.join(', ')}); at most ${guard.max_changed} may`;
    return { kind: 'refuse', failure: { ok: false, kind: 'permanent', code: 'identity_guard', message } };
  },
};

/** The guarded properties that the event writes, if they could be too many. */
function watched({ unit, write: { guard, properties } }: WriteSubject): string[] {
  if (!guard || unit.forced) return [];
  const written = guard.properties.filter((name) => properties[name] !== undefined);
  return written.length > guard.max_changed ? written : [];
}
