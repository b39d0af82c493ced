import { refill } from './refill';

/** How one record type may point at another (docs/reference/crm-api.md, Associations). Type ids are unique per portal here. */
export interface AssociationType {
  readonly typeId: number;
  readonly category: 'HUBSPOT_DEFINED' | 'USER_DEFINED';
  readonly from: string;
  readonly to: string;
  /** The type seen from the other side. */
  readonly inverseId: number;
  readonly label: string | null;
  readonly name: string;
  /** The unlabelled type that every pair of this kind has. */
  readonly isDefault: boolean;
  /** Set on primary types: the side that may have only one such partner. */
  readonly singleSide?: 'from' | 'to';
}

type Row = readonly [from: string, to: string, id: number, inverse: number];

const defaults: readonly Row[] = [
  ['0-1', '0-2', 279, 280],
  ['0-1', '0-3', 4, 3],
  ['0-2', '0-3', 342, 341],
  ['0-1', '0-5', 15, 16],
  ['0-2', '0-5', 340, 339],
  ['0-3', '0-5', 27, 28],
  ['0-3', '0-8', 19, 20],
  ['0-1', '0-1', 449, 449],
  ['0-2', '0-2', 450, 450],
  ['0-3', '0-3', 451, 451],
  ['0-5', '0-5', 452, 452],
  ...engagementRows('0-46', [202, 190, 214, 228]),
  ...engagementRows('0-27', [204, 192, 216, 230]),
  ...engagementRows('0-48', [194, 182, 206, 220]),
  ...engagementRows('0-49', [198, 186, 210, 224]),
  ...engagementRows('0-47', [200, 188, 212, 226]),
  ['0-18', '0-1', 81, 82],
  ['0-18', '0-2', 87, 88],
  ['0-18', '0-3', 85, 86],
  ['0-18', '0-5', 83, 84],
  ['0-14', '0-3', 64, 63],
  ['0-14', '0-8', 67, 68],
  ['0-14', '0-1', 69, 70],
  ['0-14', '0-2', 71, 72],
  ['0-123', '0-1', 507, 508],
  ['0-123', '0-2', 509, 510],
  ['0-123', '0-3', 512, 511],
  ['0-123', '0-8', 513, 514],
  ['0-53', '0-1', 177, 178],
  ['0-53', '0-2', 179, 180],
  ['0-53', '0-3', 175, 176],
  ['0-53', '0-8', 409, 410],
  ['0-69', '0-1', 295, 296],
  ['0-69', '0-2', 297, 298],
  ['0-69', '0-3', 299, 300],
  ['0-69', '0-8', 301, 302],
  ['0-136', '0-1', 608, 609],
  ['0-136', '0-2', 610, 611],
];

/** Engagements point at contacts, companies, deals and tickets; the inverse id is one less. */
function engagementRows(from: string, ids: readonly [number, number, number, number]): Row[] {
  const targets = ['0-1', '0-2', '0-3', '0-5'];
  return ids.map((id, i): Row => [from, targets[i]!, id, id - 1]);
}

/** Primary types; the first side is the one that has a single primary partner. */
const primaries: readonly Row[] = [
  ['0-1', '0-2', 1, 2],
  ['0-3', '0-2', 5, 6],
  ['0-5', '0-2', 26, 25],
  ['0-136', '0-1', 578, 579],
  ['0-136', '0-2', 580, 581],
];

const parentCompany: Row = ['0-2', '0-2', 13, 14];

function pairOf(
  [from, to, id, inverse]: Row,
  more: Pick<AssociationType, 'label' | 'isDefault'> & { single?: boolean; labels?: readonly [string, string] },
): AssociationType[] {
  const base = { category: 'HUBSPOT_DEFINED', isDefault: more.isDefault } as const;
  const forth: AssociationType = {
    ...base,
    typeId: id,
    from,
    to,
    inverseId: inverse,
    label: more.labels?.[0] ?? more.label,
    name: `${from}_to_${to}`,
    singleSide: more.single ? 'from' : undefined,
  };
  if (id === inverse) return [forth];
  return [
    forth,
    {
      ...base,
      typeId: inverse,
      from: to,
      to: from,
      inverseId: id,
      label: more.labels?.[1] ?? more.label,
      name: `${to}_to_${from}`,
      singleSide: more.single ? 'to' : undefined,
    },
  ];
}

/** The CRM's own association types, both directions. */
export const standardAssociationTypes: readonly AssociationType[] = [
  ...defaults.flatMap((row) => pairOf(row, { label: null, isDefault: true })),
  ...primaries.flatMap((row) => pairOf(row, { label: 'Primary', isDefault: false, single: true })),
  ...pairOf(parentCompany, { label: null, isDefault: false, labels: ['Child Company', 'Parent Company'] }),
];

/** The association types of one portal: the standard ones plus labels and custom schemas' own. */
export class AssociationTypes {
  readonly #byPair = new Map<string, Map<number, AssociationType>>();
  readonly #limits = new Map<string, number>();
  #nextId = 2_001;

  constructor() {
    for (const type of standardAssociationTypes) this.#add(type);
  }

  /** Everything, as plain data. */
  dump(): { byPair: Map<string, Map<number, AssociationType>>; limits: Map<string, number>; nextId: number } {
    return { byPair: this.#byPair, limits: this.#limits, nextId: this.#nextId };
  }

  /** Replaces everything with the data of `dump`. */
  load(dump: ReturnType<AssociationTypes['dump']>): void {
    refill(this.#byPair, dump.byPair);
    refill(this.#limits, dump.limits);
    this.#nextId = dump.nextId;
  }

  /** All types from one object type to another, in order of creation. */
  between(from: string, to: string): AssociationType[] {
    return [...(this.#byPair.get(`${from}>${to}`)?.values() ?? [])];
  }

  get(from: string, to: string, typeId: number): AssociationType | undefined {
    return this.#byPair.get(`${from}>${to}`)?.get(typeId);
  }

  /** The unlabelled type of a pair; undefined when the two kinds cannot be associated. */
  defaultOf(from: string, to: string): AssociationType | undefined {
    for (const type of this.#byPair.get(`${from}>${to}`)?.values() ?? []) if (type.isDefault) return type;
    return undefined;
  }

  /** Adds a portal's own type and its inverse. A single label within one kind of record is its own inverse. */
  define(given: {
    from: string;
    to: string;
    label: string | null;
    inverseLabel?: string | null;
    name: string;
    inverseName?: string;
    isDefault: boolean;
  }): AssociationType[] {
    const { from, to, label, name, isDefault } = given;
    const symmetric = from === to && given.inverseLabel === undefined;
    const typeId = this.#allocate();
    const inverseId = symmetric ? typeId : this.#allocate();
    const forth: AssociationType = { typeId, category: 'USER_DEFINED', from, to, inverseId, label, name, isDefault };
    const back: AssociationType = {
      typeId: inverseId,
      category: 'USER_DEFINED',
      from: to,
      to: from,
      inverseId: typeId,
      label: given.inverseLabel ?? label,
      name: given.inverseName ?? name,
      isDefault,
    };
    const made = symmetric ? [forth] : [forth, back];
    for (const type of made) this.#add(type);
    return made;
  }

  /** All types that have this object type on either side. */
  involving(objectTypeId: string): AssociationType[] {
    return [...this.#byPair.values()]
      .flatMap((pair) => [...pair.values()])
      .filter((type) => type.from === objectTypeId || type.to === objectTypeId);
  }

  relabel(type: AssociationType, label: string): void {
    this.#add({ ...type, label });
  }

  remove(type: AssociationType): void {
    this.#byPair.get(`${type.from}>${type.to}`)?.delete(type.typeId);
    this.#byPair.get(`${type.to}>${type.from}`)?.delete(type.inverseId);
  }

  /** Sets how many partners a record may have by this type; undefined lifts the limit. */
  limit(type: AssociationType, max: number | undefined): void {
    const key = `${type.from}>${type.to}>${type.typeId}`;
    if (max === undefined) this.#limits.delete(key);
    else this.#limits.set(key, max);
  }

  limitOf(type: AssociationType): number | undefined {
    return this.#limits.size === 0 ? undefined : this.#limits.get(`${type.from}>${type.to}>${type.typeId}`);
  }

  #allocate(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  #add(type: AssociationType): void {
    const key = `${type.from}>${type.to}`;
    const pair = this.#byPair.get(key);
    if (pair) pair.set(type.typeId, type);
    else this.#byPair.set(key, new Map([[type.typeId, type]]));
  }
}
