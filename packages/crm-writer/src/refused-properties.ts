import type { CallFailure, MonotonicClock, RecordWrite, WriteWarning } from '@sluice/ports';
import { createBoundedCache } from './bounded-cache';
import { refusedValues } from './refused-values';

/**
 * A write that collects warnings about properties that were left out or ignored. Its `properties` are a copy of its own, from
 * which left-out ones are deleted.
 */
export interface NotedWrite extends RecordWrite {
  warnings: WriteWarning[];
}

/**
 * Properties that the CRM does not know or that are read-only, for example because an administrator deleted or renamed one. The
 * CRM would refuse every record with them as a whole. They are left out of the write, with a warning, and for a while out of the
 * next ones.
 */
export interface RefusedProperties {
  /** Deletes the properties that were refused recently. */
  leaveOutKnown(write: RecordWrite): void;
  /** Deletes the properties that a refusal names. False: it names none that could be left out. */
  leaveOut(write: RecordWrite, refusal: CallFailure): boolean;
}

/** How long a refused property is not sent: as long as definitions are cached. */
const ttlMs = 600_000;
const maxRemembered = 10_000;

const left: Readonly<Record<string, WriteWarning['code']>> = {
  PROPERTY_DOESNT_EXIST: 'unknown_property',
  READ_ONLY_VALUE: 'read_only_property',
};

export function createRefusedProperties(monotonicNow: MonotonicClock): RefusedProperties {
  const refused = createBoundedCache<{ code: WriteWarning['code']; until: number }>(maxRemembered);
  const keyOf = (objectType: string, property: string): string => `${objectType} ${property}`;
  const refusedLately = (key: string): WriteWarning['code'] | undefined => {
    const entry = refused.get(key);
    if (entry && entry.until > monotonicNow()) return entry.code;
    if (entry) refused.delete(key);
    return undefined;
  };
  const takeOut = (write: RecordWrite, property: string, code: WriteWarning['code']): void => {
    delete write.properties[property];
    (write as Partial<NotedWrite>).warnings?.push({ property, code });
  };
  /** The identity property and the last remaining property are never left out. */
  const mayGo = ({ properties, identityProperty }: RecordWrite, names: readonly string[]): boolean =>
    names.length > 0 && !names.includes(identityProperty ?? '') && Object.keys(properties).some((name) => !names.includes(name));

  return {
    leaveOutKnown: (write) => {
      // The usual case: the portal has refused no property.
      if (refused.size === 0) return;
      const known = Object.keys(write.properties).flatMap((property) => {
        const code = refusedLately(keyOf(write.objectType, property));
        return code === undefined ? [] : [{ property, code }];
      });
      if (
        !mayGo(
          write,
          known.map(({ property }) => property),
        )
      )
        return;
      for (const { property, code } of known) takeOut(write, property, code);
    },
    leaveOut: (write, refusal) => {
      const named = refusedValues(refusal).flatMap(({ name, error }) => {
        const code = left[error];
        return code !== undefined && write.properties[name] !== undefined ? [{ property: name, code }] : [];
      });
      if (
        !mayGo(
          write,
          named.map(({ property }) => property),
        )
      )
        return false;
      for (const { property, code } of named) {
        refused.set(keyOf(write.objectType, property), { code, until: monotonicNow() + ttlMs });
        takeOut(write, property, code);
      }
      return true;
    },
  };
}
