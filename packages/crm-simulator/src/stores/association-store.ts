import { refill } from './refill';
import type { AssociationType, AssociationTypes } from './association-types';

/** One end of an association. */
export interface RecordRef {
  readonly typeId: string;
  readonly id: string;
}

/** A type that was added or removed between two records, from the side of `from`. */
export interface AssociationChange {
  readonly action: 'ASSOCIATION_ADDED' | 'ASSOCIATION_REMOVED';
  readonly from: RecordRef;
  readonly to: RecordRef;
  readonly type: AssociationType;
}

/** Partners of one record: object type, record id, type ids. */
export type Targets = Map<string, Map<string, Set<number>>>;

const keyOf = (ref: RecordRef): string => `${ref.typeId}/${ref.id}`;

/** The associations of one portal, stored for both ends. Every change is reported for both ends. */
export class AssociationStore {
  readonly #links = new Map<string, Targets>();

  constructor(private readonly types: AssociationTypes, private readonly onChange: (change: AssociationChange) => void) {}

  /** All links from both ends, as plain data. */
  dump(): Map<string, Targets> {
    return this.#links;
  }

  /** Replaces everything with the data of `dump`; reports nothing. */
  load(links: Map<string, Targets>): void {
    refill(this.#links, links);
  }

  /** Partners of a record among one object type, with the type ids of each, in order of creation. */
  of(from: RecordRef, toTypeId: string): ReadonlyMap<string, ReadonlySet<number>> {
    return this.#links.get(keyOf(from))?.get(toTypeId) ?? new Map();
  }

  /** Everything a record is associated with, by object type. */
  all(from: RecordRef): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<number>>> {
    return this.#links.get(keyOf(from)) ?? new Map();
  }

  /**
   * Associates two records with these types and the unlabelled default. `replace` removes labels not given,
   * except a primary flag, which only ever moves. A primary type takes the flag away from the earlier partner.
   */
  link(from: RecordRef, to: RecordRef, wanted: readonly AssociationType[], replace: boolean): void {
    const fallback = this.types.defaultOf(from.typeId, to.typeId);
    const types = fallback && !wanted.includes(fallback) ? [fallback, ...wanted] : wanted;
    if (replace) {
      const keep = new Set(types.map((type) => type.typeId));
      for (const typeId of [...(this.of(from, to.typeId).get(to.id) ?? [])]) {
        const type = this.types.get(from.typeId, to.typeId, typeId);
        if (type && !keep.has(typeId) && type.singleSide === undefined) this.#removeBoth(from, to, type);
      }
    }
    for (const type of types) {
      if (type.singleSide === 'from') this.#dropEarlierPrimary(from, to, type);
      if (type.singleSide === 'to') this.#dropEarlierPrimary(to, from, this.types.get(to.typeId, from.typeId, type.inverseId));
      this.#addBoth(from, to, type);
    }
  }

  /** Removes some types between two records; removing the unlabelled default removes everything. */
  unlink(from: RecordRef, to: RecordRef, types: readonly AssociationType[]): void {
    if (types.some((type) => type.isDefault)) return this.unlinkAll(from, to);
    for (const type of types) this.#removeBoth(from, to, type);
  }

  unlinkAll(from: RecordRef, to: RecordRef): void {
    for (const typeId of [...(this.of(from, to.typeId).get(to.id) ?? [])]) {
      const type = this.types.get(from.typeId, to.typeId, typeId);
      if (type) this.#removeBoth(from, to, type);
    }
  }

  /** Removes all associations of a record, as archiving does. Returns the removed ones, for merges. */
  detach(ref: RecordRef): { to: RecordRef; types: AssociationType[] }[] {
    const removed: { to: RecordRef; types: AssociationType[] }[] = [];
    for (const [typeId, partners] of [...this.all(ref)]) {
      for (const [id, ids] of [...partners]) {
        const to = { typeId, id };
        removed.push({ to, types: [...ids].flatMap((one) => this.types.get(ref.typeId, typeId, one) ?? []) });
        this.unlinkAll(ref, to);
      }
    }
    return removed;
  }

  /** Removes a type from every pair of records that has it. */
  forgetType(type: AssociationType): void {
    for (const [key, targets] of [...this.#links]) {
      const [typeId = '', id = ''] = key.split('/');
      if (typeId !== type.from) continue;
      for (const [partner, ids] of [...(targets.get(type.to) ?? [])]) {
        if (ids.has(type.typeId)) this.#removeBoth({ typeId, id }, { typeId: type.to, id: partner }, type);
      }
    }
  }

  #dropEarlierPrimary(single: RecordRef, keep: RecordRef, type: AssociationType | undefined): void {
    if (!type) return;
    for (const [id, ids] of [...this.of(single, keep.typeId)]) {
      if (id !== keep.id && ids.has(type.typeId)) this.#removeBoth(single, { typeId: keep.typeId, id }, type);
    }
  }

  #addBoth(from: RecordRef, to: RecordRef, type: AssociationType): void {
    this.#add(from, to, type);
    const inverse = this.types.get(to.typeId, from.typeId, type.inverseId);
    if (inverse) this.#add(to, from, inverse);
  }

  #removeBoth(from: RecordRef, to: RecordRef, type: AssociationType): void {
    this.#remove(from, to, type);
    const inverse = this.types.get(to.typeId, from.typeId, type.inverseId);
    if (inverse) this.#remove(to, from, inverse);
  }

  #add(from: RecordRef, to: RecordRef, type: AssociationType): void {
    const key = keyOf(from);
    let targets = this.#links.get(key);
    if (!targets) this.#links.set(key, (targets = new Map()));
    let partners = targets.get(to.typeId);
    if (!partners) targets.set(to.typeId, (partners = new Map()));
    let ids = partners.get(to.id);
    if (!ids) partners.set(to.id, (ids = new Set()));
    if (ids.has(type.typeId)) return;
    ids.add(type.typeId);
    this.onChange({ action: 'ASSOCIATION_ADDED', from, to, type });
  }

  #remove(from: RecordRef, to: RecordRef, type: AssociationType): void {
    const targets = this.#links.get(keyOf(from));
    const partners = targets?.get(to.typeId);
    const ids = partners?.get(to.id);
    if (!targets || !partners || !ids?.delete(type.typeId)) return;
    if (ids.size === 0) partners.delete(to.id);
    if (partners.size === 0) targets.delete(to.typeId);
    if (targets.size === 0) this.#links.delete(keyOf(from));
    this.onChange({ action: 'ASSOCIATION_REMOVED', from, to, type });
  }
}
