import fc from 'fast-check';
import { createFairSlots } from './fair-slots';
import { fairTurns, type DueWork } from './fair-turns';

const work = (portal: string, connectorId: string, dueAt: number): DueWork => ({ portal, connectorId, dueAt });
const many = (count: number, portal: string, connectorId: string): DueWork[] =>
  Array.from({ length: count }, (_, n) => work(portal, connectorId, n));

describe('turns of due work', () => {
  it('leave slots to others: half of them to other portals, half of the rest to other connectors', () => {
    const slots = createFairSlots(64);
    expect(fairTurns(many(1_000, 'a', 'a1'), slots)).toHaveLength(16);
    expect(fairTurns(many(1_000, 'a', 'a2'), slots)).toHaveLength(8);
    expect(fairTurns(many(1_000, 'b', 'b1'), slots)).toHaveLength(10);
  });

  it('alternate between portals, and within a portal between its connectors', () => {
    const due = [...many(3, 'a', 'a1'), work('a', 'a2', 10), work('b', 'b1', 20), work('b', 'b1', 21)];
    const started = fairTurns(due, createFairSlots(64)).map(({ connectorId, dueAt }) => `${connectorId} ${dueAt}`);
    expect(started).toEqual(['a1 0', 'b1 20', 'a2 10', 'b1 21', 'a1 1', 'a1 2']);
  });

  it('give a free slot to the next in turn', () => {
    const slots = createFairSlots(64);
    fairTurns(many(1_000, 'a', 'a1'), slots);
    slots.free(work('a', 'a1', 0));
    expect(fairTurns(many(5, 'a', 'a1'), slots)).toHaveLength(1);
  });

  it('start a connector without a slot at once, also when the common slots are taken, and stay bounded', () => {
    const slots = createFairSlots(4);
    expect(fairTurns(Array.from({ length: 100 }, (_, n) => work(`p${n}`, `c${n}`, n)), slots)).toHaveLength(8);
  });

  it('of a thousand connectors of one portal leave slots for other portals', () => {
    const slots = createFairSlots(4);
    fairTurns(Array.from({ length: 1_000 }, (_, n) => work('a', `c${n}`, n)), slots);
    expect(slots.taken()).toBe(4);
    expect(fairTurns(many(9, 'b', 'b1'), slots)).toHaveLength(1);
  });

  it('never leave a portal without a slot, nor without its oldest work, while there are slots', () => {
    const due = fc.array(fc.record({ portal: fc.constantFrom('a', 'b', 'c'), connector: fc.nat(2), dueAt: fc.nat(50) }), {
      maxLength: 60,
    });
    fc.assert(fc.property(fc.array(due, { maxLength: 5 }), fc.infiniteStream(fc.boolean()), (rounds, ends) => {
      const slots = createFairSlots(6);
      let running: DueWork[] = [];
      for (const round of rounds) {
        const works = round.map(({ portal, connector, dueAt }) => work(portal, `${portal}${connector}`, dueAt));
        const started = fairTurns(works, slots);
        for (const portal of new Set(works.map((one) => one.portal))) {
          const ofPortal = [...running, ...started].filter((one) => one.portal === portal);
          expect(ofPortal.length).toBe(slots.ofPortal(portal));
          expect(ofPortal.length).toBeGreaterThan(0);
        }
        for (const one of started) {
          const waiting = works.filter((other) => other.connectorId === one.connectorId && !started.includes(other));
          expect(waiting.every(({ dueAt }) => dueAt! >= one.dueAt!)).toBe(true);
        }
        running = [...running, ...started].filter((one) => {
          if (!ends.next().value) return true;
          slots.free(one);
          return false;
        });
        expect(slots.taken()).toBe(running.length);
      }
    }), { numRuns: 200 });
  });
});
