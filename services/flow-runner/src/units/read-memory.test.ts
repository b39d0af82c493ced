import { turns } from '@sluice/ports/testing';
import { type PayloadRoom, ReadMemory } from './read-memory';

const kb = 1_024;

/** Payloads that ask for memory, by name, and the memory of those that have it. */
function lab(maxBytes: number) {
  const memory = new ReadMemory(maxBytes);
  const rooms = new Map<string, PayloadRoom>();
  return {
    memory,
    inside: () => [...rooms.keys()],
    ask: (name: string, bytes: number, connectorId = 'c') =>
      void memory.payload(connectorId, bytes).then((room) => rooms.set(name, room)),
    end: async (name: string) => {
      rooms.get(name)!.end();
      rooms.delete(name);
      await turns();
    },
    holds: async (name: string, bytes: number) => {
      rooms.get(name)!.holds(bytes);
      await turns();
    },
  };
}

describe('pages of held events', () => {
  it('are a mebibyte of text at most, and share the available memory', () => {
    expect(new ReadMemory(100 * kb * kb).page().textBytes).toBe(kb * kb);
    const memory = new ReadMemory(300 * kb);
    const first = memory.page();
    expect([first.textBytes, memory.page().textBytes]).toEqual([300 * kb, 1]);
    first.holds(200 * kb);
    const second = memory.page();
    expect([second.textBytes, memory.page().textBytes]).toEqual([100 * kb - 1, 1]);
    first.end();
    expect(memory.page().textBytes).toBe(200 * kb - 1);
  });

  it('that take more than there is leave the minimum to the others, and free all of it', () => {
    const memory = new ReadMemory(100 * kb);
    const page = memory.page();
    page.holds(900 * kb);
    const small = memory.page();
    expect(small.textBytes).toBe(1);
    small.end();
    page.end();
    expect(memory.page().textBytes).toBe(100 * kb);
  });
});

describe('large payloads', () => {
  it('wait for memory; a single one always passes, of any size', async () => {
    const { ask, end, inside, holds } = lab(1_000);
    ask('huge', 9_000);
    ask('next', 100);
    await turns();
    expect(inside()).toEqual(['huge']);
    await end('huge');
    ask('third', 200);
    ask('fourth', 200);
    await turns();
    expect(inside()).toEqual(['next', 'third']);
    await holds('third', 50);
    expect(inside()).toEqual(['next', 'third', 'fourth']);
  });

  it('wait for pages too, but not when only pages are in memory', async () => {
    const { memory, ask, end, inside } = lab(1_000);
    const page = memory.page();
    ask('first', 100);
    ask('second', 100);
    await turns();
    expect(inside()).toEqual(['first']);
    await end('first');
    expect(inside()).toEqual(['second']);
    ask('third', 100);
    page.end();
    await turns();
    expect(inside()).toEqual(['second', 'third']);
  });

  it('of connectors take turns', async () => {
    const { ask, end, inside } = lab(1_000);
    ask('a1', 300, 'a');
    for (const name of ['a2', 'a3']) ask(name, 300, 'a');
    ask('b1', 300, 'b');
    const order: string[] = [];
    for (let left = 4; left > 0; left -= 1) {
      await turns();
      const [name] = inside();
      order.push(name!);
      await end(name!);
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});
