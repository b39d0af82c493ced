import type { CallFailure, CrmPropertyDefinition, MonotonicClock, RecordWrite, WriteWarning } from '@sluice/ports';
import { createBoundedCache } from '../shared/bounded-cache';
import type { PortalSession } from '../session/portal-session';
import type { PropertyCatalog } from '../session/property-catalog';
import { refusedValues } from './refused-values';
import type { UnitContext } from '../shared/unit-context';

/**
 * A write that collects warnings about properties that were left out or ignored. Its `properties` are a copy of its own, from
 * which left-out ones are deleted.
 */
export interface NotedWrite extends RecordWrite {
  warnings: WriteWarning[];
}

/** One sending of a write. */
export interface SentWrite {
  unit: Pick<UnitContext, 'connectorId' | 'configVersion'>;
  write: RecordWrite;
  /** When it was sent, monotonic milliseconds. */
  sentAt: number;
  /** Properties that were sent again although they had been refused. */
  insistedOn: Set<string>;
}

interface Refusal {
  code: WriteWarning['code'];
  /** When it was refused last, and how long that is remembered; monotonic milliseconds. */
  at: number;
  until: number;
  /** The catalogue says that the property can be written, and the CRM refused it all the same. */
  contradicted: boolean;
}

interface RefusedPropertiesDeps {
  monotonicNow: MonotonicClock;
  catalog: Pick<PropertyCatalog, 'definition'>;
}

/** How long a refusal is remembered. */
const ttlMs = 600_000;
/** How long it is believed without asking the catalogue again: somebody may have made the property meanwhile. */
const believedMs = 2_000;
const [maxRemembered, maxConnectors] = [10_000, 10_000];

const left: Readonly<Record<string, WriteWarning['code']>> = {
  PROPERTY_DOESNT_EXIST: 'unknown_property',
  READ_ONLY_VALUE: 'read_only_property',
};

/**
 * Properties that the CRM does not know or that are read-only, for example because an administrator deleted or renamed one. The
 * CRM would refuse every record with them as a whole. They are left out of the write, with a warning, and of the next ones for as
 * long as the portal lacks them.
 *
 * Invariant: before a value is left out, the catalogue of the portal has said that its property cannot be written, in a read that
 * began after the write was sent or at most two seconds before, and after the version of the config became known that the write
 * belongs to. Only where the catalogue contradicts the CRM, or cannot be read, does the refusal of the CRM decide.
 */
export class RefusedProperties {
  private readonly refused = createBoundedCache<Refusal>(maxRemembered);
  /** The newest version of each connector that was seen here, and since when. */
  private readonly versions = createBoundedCache<{ version: number; since: number }>(maxConnectors);

  constructor(
    private readonly deps: RefusedPropertiesDeps,
    private readonly session: PortalSession,
  ) {}

  /** Deletes the properties that were refused lately and that the portal still lacks. */
  leaveOutKnown(sent: Pick<SentWrite, 'unit' | 'write'>): void | Promise<void> {
    // The usual case: the portal has refused no property.
    if (this.refused.size === 0) return;
    const { write } = sent;
    const known = Object.keys(write.properties).filter((property) => this.refusalOf(write.objectType, property));
    return known.length === 0 ? undefined : this.leaveOutLacking(sent, known);
  }

  /**
   * Deletes the properties that a refusal names, or lets them be sent again, when the catalogue says that they can be written.
   * @returns whether the write may be sent again
   */
  async leaveOut({ unit, write, sentAt, insistedOn }: SentWrite, refusal: CallFailure): Promise<boolean> {
    this.versionSince(unit);
    const named = refusedValues(refusal).filter(({ name, error }) => left[error] && write.properties[name] !== undefined);
    const lacking: { property: string; code: WriteWarning['code']; contradicted: boolean }[] = [];
    for (const { name: property, error } of named) {
      const definition = await this.definitionOf(write.objectType, property, sentAt);
      const writable = definition !== undefined && codeOf(definition) === null;
      if (writable && !insistedOn.has(property)) insistedOn.add(property);
      else lacking.push({ property, code: left[error]!, contradicted: writable });
    }
    if (named.length === 0 || !mayGo(write, lacking.map(({ property }) => property))) return false;
    const at = this.deps.monotonicNow();
    for (const { property, code, contradicted } of lacking) {
      this.refused.set(keyOf(write.objectType, property), { code, at, until: at + ttlMs, contradicted });
      takeOut(write, property, code);
    }
    return true;
  }

  private async leaveOutLacking({ unit, write }: Pick<SentWrite, 'unit' | 'write'>, known: readonly string[]): Promise<void> {
    const versionSince = this.versionSince(unit);
    const lacking: { property: string; code: WriteWarning['code'] }[] = [];
    for (const property of known) {
      const refusal = this.refusalOf(write.objectType, property);
      const code = refusal && (await this.lackingAs(write.objectType, property, refusal, versionSince));
      if (code) lacking.push({ property, code });
      else this.refused.delete(keyOf(write.objectType, property));
    }
    if (!mayGo(write, lacking.map(({ property }) => property))) return;
    for (const { property, code } of lacking) takeOut(write, property, code);
  }

  /** Why a property that was refused still cannot be written; null: it can, or nobody knows. */
  private async lackingAs(
    objectType: string, property: string, { code, at, contradicted }: Refusal, versionSince: number,
  ): Promise<WriteWarning['code'] | null> {
    if (contradicted && at >= versionSince) return code;
    const since = Math.max(this.deps.monotonicNow() - believedMs, versionSince);
    const definition = await this.definitionOf(objectType, property, since);
    if (definition === undefined) return null;
    return codeOf(definition);
  }

  /** The definition by a read that began at that time at the earliest; null: there is none, undefined: it cannot be read. */
  private async definitionOf(
    objectType: string, property: string, since: number,
  ): Promise<CrmPropertyDefinition | null | undefined> {
    const answer = await this.deps.catalog.definition(this.session, objectType, property, since);
    return answer.ok ? answer.value : undefined;
  }

  private refusalOf(objectType: string, property: string): Refusal | undefined {
    const key = keyOf(objectType, property);
    const entry = this.refused.get(key);
    if (entry && entry.until > this.deps.monotonicNow()) return entry;
    if (entry) this.refused.delete(key);
    return undefined;
  }

  /** When the version of the unit was seen first: the publish of it may have made the property. */
  private versionSince({ connectorId, configVersion: version }: SentWrite['unit']): number {
    if (version === undefined || version === null) return 0;
    const known = this.versions.get(connectorId);
    if (known && known.version >= version) return known.since;
    const since = this.deps.monotonicNow();
    this.versions.set(connectorId, { version, since });
    return since;
  }
}

const keyOf = (objectType: string, property: string): string => `${objectType} ${property}`;

/** Why a property cannot be written, by its definition; null: it can. */
function codeOf(definition: CrmPropertyDefinition | null): WriteWarning['code'] | null {
  if (definition === null) return 'unknown_property';
  return definition.readOnly === true ? 'read_only_property' : null;
}

function takeOut(write: RecordWrite, property: string, code: WriteWarning['code']): void {
  delete write.properties[property];
  (write as Partial<NotedWrite>).warnings?.push({ property, code });
}

/** The identity property and the last remaining property are never left out. */
function mayGo({ properties, identityProperty }: RecordWrite, names: readonly string[]): boolean {
  if (names.length === 0) return true;
  return !names.includes(identityProperty ?? '') && Object.keys(properties).some((name) => !names.includes(name));
}
