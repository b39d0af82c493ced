import { createCoalescer, type Coalescer, type CoalescerOptions } from './coalescer';

/**
 * Coalescers by name, made when first needed: one per (object type, property, ...) of a portal. Names come from published
 * configs, so their number is bounded by these.
 */
export interface CoalescerFamily<Q, A> {
  of(name: string): Coalescer<Q, A>;
}

export function createCoalescerFamily<Q, A>(options: (name: string) => CoalescerOptions<Q, A>): CoalescerFamily<Q, A> {
  const members = new Map<string, Coalescer<Q, A>>();
  return {
    of: (name) => {
      let member = members.get(name);
      if (!member) {
        member = createCoalescer(options(name));
        members.set(name, member);
      }
      return member;
    },
  };
}
