import { AssociationStore, type Targets } from '../stores/association-store';
import { AssociationTypes } from '../stores/association-types';
import { startingDefinitions, type TypeDefinitions } from '../stores/definition-store';
import { type FileDump, FileStore } from '../stores/file-store';
import { type FormDump, FormStore } from '../stores/form-store';
import { standardTypes, type ObjectType } from '../model/object-types';
import { startingPipelines, type Pipeline } from '../model/pipelines';
import { type RecordDump, RecordStore } from '../stores/record-store';
import { startingOwner, type Owner } from './owner';
import type { PortalEvent } from './portal-event';
import type { PortalSettings } from './portal-settings';
import { PortalStats } from './portal-stats';
import { RateLimits } from './rate-limits';
import { refill } from '../stores/refill';

/** A custom schema as the portal keeps it; the object type is derived from it. */
export interface CustomSchema {
  readonly number: number;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly primaryDisplayProperty?: string;
  readonly secondaryDisplayProperties: readonly string[];
  readonly requiredProperties: readonly string[];
  readonly searchableProperties: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
}

/** Everything about one object type in one portal; built when first asked for. */
export interface TypeSpace {
  readonly definitions: TypeDefinitions;
  readonly store: RecordStore;
  readonly pipelines: Map<string, Pipeline>;
}

/** All that a portal remembers. */
export interface PortalDump {
  readonly portalId: number;
  readonly settings: PortalSettings;
  readonly schemas: ReadonlyMap<string, CustomSchema>;
  readonly owners: readonly Owner[];
  readonly nextNumber: number;
  readonly types: readonly ObjectType[];
  readonly spaces: readonly {
    typeId: string;
    definitions: TypeDefinitions;
    pipelines: Map<string, Pipeline>;
    records: RecordDump;
  }[];
  readonly associationTypes: ReturnType<AssociationTypes['dump']>;
  readonly associations: Map<string, Targets>;
  /** Absent in snapshots of before there were any. */
  readonly files?: FileDump;
  readonly forms?: FormDump;
}

/** One CRM account: its settings, definitions, records and counters. */
export class PortalState {
  readonly limits: RateLimits;
  readonly stats = new PortalStats();
  readonly associationTypes = new AssociationTypes();
  readonly associations: AssociationStore;
  readonly owners: Owner[];
  readonly files = new FileStore(() => this.now());
  readonly forms = new FormStore();
  readonly schemas = new Map<string, CustomSchema>();
  readonly createdAt: number;
  readonly #types = new Map<string, ObjectType>();
  readonly #byName = new Map<string, ObjectType>();
  readonly #spaces = new Map<string, TypeSpace>();
  #nextNumber = 5_001;

  constructor(
    readonly portalId: number,
    public settings: PortalSettings,
    readonly now: () => number,
    private readonly onEvent: (portal: PortalState, event: PortalEvent) => void,
  ) {
    this.createdAt = now();
    this.limits = new RateLimits(portalId, () => this.settings);
    this.owners = [startingOwner(portalId, this.createdAt)];
    for (const type of standardTypes) this.putType(type);
    this.associations = new AssociationStore(this.associationTypes, ({ action, from, to, type }) => this.emit({
      kind: 'association', action, at: this.now(), fromTypeId: from.typeId, fromId: from.id, toTypeId: to.typeId, toId: to.id,
      typeId: type.typeId, category: type.category, isPrimary: type.singleSide !== undefined,
    }));
  }

  /** Everything but counters and limits, as plain data. */
  dump(): PortalDump {
    return {
      portalId: this.portalId,
      settings: this.settings,
      schemas: this.schemas,
      owners: this.owners,
      nextNumber: this.#nextNumber,
      types: [...this.#types.values()],
      spaces: [...this.#spaces].map(([typeId, { definitions, pipelines, store }]) => ({
        typeId,
        definitions,
        pipelines,
        records: store.dump(),
      })),
      associationTypes: this.associationTypes.dump(),
      associations: this.associations.dump(),
      files: this.files.dump(),
      forms: this.forms.dump(),
    };
  }

  /** Takes over what `dump` gave; for a portal that was just made. */
  load(dump: PortalDump): void {
    refill(this.schemas, dump.schemas);
    this.owners.splice(0, this.owners.length, ...dump.owners);
    this.#nextNumber = dump.nextNumber;
    for (const type of dump.types) this.putType(type);
    for (const { typeId, definitions, pipelines, records } of dump.spaces) {
      const store = new RecordStore(this.typeById(typeId)!, [], () => this.settings.searchLagMs);
      store.load(records);
      this.#spaces.set(typeId, { definitions, pipelines, store });
    }
    this.associationTypes.load(dump.associationTypes);
    this.associations.load(dump.associations);
    if (dump.files) this.files.load(dump.files);
    if (dump.forms) this.forms.load(dump.forms);
  }

  /** A type by any of its names; undefined when the portal does not have it. */
  typeNamed(name: string): ObjectType | undefined {
    return this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
  }

  typeById(id: string): ObjectType | undefined {
    return this.#types.get(id);
  }

  get types(): IterableIterator<ObjectType> {
    return this.#types.values();
  }

  /** Adds a type or puts a changed one in its place. Definitions and records stay. */
  putType(type: ObjectType): void {
    this.#types.set(type.id, type);
    for (const alias of type.aliases) {
      const other = this.#byName.get(alias);
      if (!other || other.id === type.id) this.#byName.set(alias, type);
    }
    this.#byName.set(type.name, type);
  }

  removeType(type: ObjectType): void {
    this.#types.delete(type.id);
    this.#spaces.delete(type.id);
    for (const [name, known] of this.#byName) if (known.id === type.id) this.#byName.delete(name);
  }

  space(type: ObjectType): TypeSpace {
    const found = this.#spaces.get(type.id);
    if (found) return found;
    const definitions = startingDefinitions(type, this.createdAt);
    const unique = [...definitions.properties.values()]
      .filter((definition) => definition.hasUniqueValue)
      .map((definition) => definition.name);
    const made = {
      definitions,
      store: new RecordStore(type, unique, () => this.settings.searchLagMs),
      pipelines: startingPipelines(type.id, this.createdAt),
    };
    this.#spaces.set(type.id, made);
    return made;
  }

  /** A number no schema, pipeline or stage of this portal has yet. */
  allocateNumber(): number {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    return number;
  }

  emit(event: PortalEvent): void {
    this.onEvent(this, event);
  }
}
