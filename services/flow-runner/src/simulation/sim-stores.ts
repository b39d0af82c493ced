import {
  BlobStoreUnavailable, type BlobStore, type BreakerStore, type ConfigReader, type RunStore, StoreUnavailable, type WriteCapStore,
} from '@sluice/ports';
import { type Connected, never } from './connected';
import { notingLooks } from './sim-notes';
import type { SimWorld } from './sim-world';

/** The stores for one process. */
export interface SimStores {
  store: RunStore;
  breakers: Pick<BreakerStore, 'changed' | 'claimAttempt'>;
  reader: ConfigReader;
  blobs: BlobStore;
  writeCaps: Pick<WriteCapStore, 'reserve' | 'settle'>;
  /** Ends its session with the database. */
  disconnect(): void;
  /** Makes a call behave like one over the network: slow, refused while cut off, with lost answers. */
  remote<A extends unknown[], T>(work: (...input: A) => Promise<T>): (...input: A) => Promise<T>;
}

export function createSimStores(world: SimWorld, { name, alive, cutOff, awake, death }: Connected): SimStores {
  const { clock, prng, scenario } = world;
  const lost = (): boolean => cutOff() || world.storeDown() || (world.rough() && prng.chance(scenario.storeLosses));
  const loseNow = (how: string): void => {
    if (!lost()) return;
    world.notes.lost.push({ at: clock.now(), by: name });
    throw new StoreUnavailable(how);
  };
  const way = async (): Promise<void> => {
    if (prng.chance(0.5)) await clock.sleep(prng.int(scenario.storeMs));
    await awake();
  };
  const remote: SimStores['remote'] = (work) => async (...input) => {
    if (!alive()) return never();
    await way();
    if (!alive()) return never();
    loseNow('lost on the way');
    const value = await work(...input).catch((error: unknown) => { if (alive()) throw error; return never(); });
    await way();
    if (!alive()) return never();
    loseNow('the answer got lost');
    return value;
  };

  const { ownership, end: disconnect } = world.connect();
  const inside = notingLooks(world.store, world.notes, clock.now, name);
  const store: RunStore = {
    crashWatch: {
      begin: remote(inside.crashWatch.begin), end: remote(inside.crashWatch.end),
      countDeaths: remote(inside.crashWatch.countDeaths), forget: remote(inside.crashWatch.forget),
    },
    ownership: {
      acquire: remote(ownership.acquire), renew: remote(ownership.renew), release: remote(ownership.release),
      deadOwners: remote(ownership.deadOwners),
    },
    finished: remote(inside.finished), settle: remote(inside.settle), mappings: remote(inside.mappings),
    mappingsTo: remote(inside.mappingsTo), haveNewerRemovals: remote(inside.haveNewerRemovals),
    haveNewerWrites: remote(inside.haveNewerWrites), claim: remote(inside.claim), heldConnectors: remote(inside.heldConnectors),
    heldScopesDue: remote(inside.heldScopesDue), heldScopesOfLanes: remote(inside.heldScopesOfLanes),
    // Smaller pages than requested, so that a backlog of few events has several.
    heldRows: remote((topic, partition, scope, limit, after, textBytes) =>
      inside.heldRows(topic, partition, scope, Math.min(limit, scenario.heldPage), after, textBytes),
    ),
    heldCounts: remote(inside.heldCounts), oldestHeld: remote(inside.oldestHeld), heldOrderings: remote(inside.heldOrderings),
  };
  const breakers = { changed: remote(world.breakers.changed), claimAttempt: remote(world.breakers.claimAttempt) };
  const reader: ConfigReader = {
    ...world.reader, connector: remote(world.reader.connector), versionConfig: remote(world.reader.versionConfig),
    crmAccess: remote(world.reader.crmAccess),
    refreshCrmAccess: remote((credentialId, staleToken, refresh) =>
      world.reader.refreshCrmAccess(credentialId, staleToken, async (refreshToken) => {
        const fresh = await Promise.race([refresh(refreshToken), death]);
        if (cutOff()) throw new StoreUnavailable('the transaction was cut off');
        return fresh;
      }),
    ),
  };
  const blobs: BlobStore = {
    ...world.blobs,
    get: async (key) => {
      await way();
      if (!alive()) return never();
      if (world.rough() && prng.chance(0.2)) throw new BlobStoreUnavailable('no blobs at the moment');
      return world.blobs.get(key);
    },
  };
  const writeCaps = { reserve: remote(world.caps.reserve), settle: remote(world.caps.settle) };
  return { store, breakers, writeCaps, reader, blobs, disconnect, remote };
}
