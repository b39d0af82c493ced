import { createCoalescer, type Coalescer, type CoalescerOptions } from './coalescer';

/**
 * Coalescers by name: one per (object type, property, ...) of a portal. One is made when it is needed and dropped when it is
 * idle, so that they cost memory only while they have work.
 */
export interface CoalescerFamily<Q, A> {
  /** Asks the coalescer of that name. */
  ask(name: string, request: Q): Promise<A>;
  /** Coalescers that exist now. */
  size(): number;
}

export function createCoalescerFamily<Q, A>(
  options: (name: string) => Omit<CoalescerOptions<Q, A>, 'onIdle'>,
): CoalescerFamily<Q, A> {
  const members = new Map<string, Coalescer<Q, A>>();
  const create = (name: string): Coalescer<Q, A> => {
    // A dropped coalescer may report idle again, when another one already has its name.
    const onIdle = (): void => {
      if (members.get(name) === member) members.delete(name);
    };
    const member = createCoalescer({ ...options(name), onIdle });
    members.set(name, member);
    return member;
  };
  return {
    ask: (name, request) => {
      const member = members.get(name) ?? create(name);
      return member.ask(request);
    },
    size: () => members.size,
  };
}
