import { laneScope, type RunStore, StoreUnavailable } from '@sluice/ports';
import { retryingStore } from './retrying-store';

const down = (): Error => new StoreUnavailable('down');

/** A store whose every method fails with each of `failures` before it answers with its own name. */
function lab(failures: Error[], stoppedAfter = Infinity) {
  const slept: number[] = [];
  const waitedFor: string[] = [];
  const method = (name: string) => () => {
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve(name);
  };
  const names = [
    'finished',
    'settle',
    'mappings',
    'claim',
    'heldConnectors',
    'heldScopesDue',
    'heldScopesOfLanes',
    'heldRows',
    'heldCounts',
  ];
  const store = retryingStore(Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as RunStore, {
    sleep: (ms) => { slept.push(ms); return Promise.resolve(); },
    stopped: () => slept.length >= stoppedAfter,
    onWait: (error) => { waitedFor.push(error.message); },
  });
  return { store, slept, waitedFor };
}

describe('patient store', () => {
  it.each<[string, (store: RunStore) => Promise<unknown>]>([
    ['finished', (store) => store.finished([])],
    ['settle', (store) => store.settle([])],
    ['mappings', (store) => store.mappings([])],
    ['claim', (store) => store.claim([], [], { abandonedAfterMs: 1 })],
    ['heldConnectors', (store) => store.heldConnectors({ topic: 't', partition: 0 }, 1)],
    ['heldScopesDue', (store) => store.heldScopesDue({ topic: 't', partition: 0 }, [])],
    ['heldScopesOfLanes', (store) => store.heldScopesOfLanes({ topic: 't', partition: 0 }, [])],
    ['heldRows', (store) => store.heldRows('t', 0, laneScope('a'), 10)],
  ])('repeats %s until the store answers, and reports each failure', async (name, call) => {
    const { store, slept, waitedFor } = lab([down(), down()]);
    expect(await call(store)).toBe(name);
    expect(slept).toEqual([100, 200]);
    expect(waitedFor).toEqual(['down', 'down']);
  });

  it('repeats the call with the same arguments', async () => {
    const asked: unknown[][] = [];
    const note = (...input: unknown[]): Promise<never[]> => {
      asked.push(input);
      return asked.length % 2 === 1 ? Promise.reject(down()) : Promise.resolve([]);
    };
    const store = retryingStore({ claim: note, heldRows: note } as unknown as RunStore, {
      sleep: () => Promise.resolve(),
      stopped: () => false,
      onWait: () => undefined,
    });
    await store.claim([], [], { abandonedAfterMs: 1 });
    await store.heldRows('t', 0, laneScope('a'), 10, 5n);
    const [claim, rows] = [[[], [], { abandonedAfterMs: 1 }], ['t', 0, laneScope('a'), 10, 5n]];
    expect(asked).toEqual([claim, claim, rows, rows]);
  });

  it('never waits longer than two seconds between two tries', async () => {
    const { store, slept } = lab(Array.from({ length: 7 }, down));
    await store.settle([]);
    expect(slept).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  });

  it('does not repeat a call that failed for another reason', async () => {
    const { store, slept } = lab([new Error('not a row')]);
    await expect(store.settle([])).rejects.toThrow('not a row');
    expect(slept).toEqual([]);
  });

  it('ends the waiting when the runner stops', async () => {
    const { store, slept } = lab(Array.from({ length: 9 }, down), 2);
    await expect(store.settle([])).rejects.toThrow(StoreUnavailable);
    expect(slept).toEqual([100, 200]);
  });

  it('passes on calls that do not belong to the processing of an event', async () => {
    const { store } = lab([down()]);
    await expect(store.heldCounts('c')).rejects.toThrow(StoreUnavailable);
  });
});
