import { type ClaimKey, monotonicClock } from '@sluice/ports';
import { testContext } from '../test-support/test-context';
import { turns } from '@sluice/ports/testing';
import { createActivity } from '../batching/activity';
import { createIdentityClaims, type IdentityClaims } from './identity-claims';

const key = (value: string): ClaimKey => ({ portalId: 'portal', objectType: 'deals', property: 'number', value });

/** Work that is under way until the test releases it. */
function workplace(claims: IdentityClaims) {
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string, value: string): Promise<string> => claims.alone(key(value), async () => {
    log.push(`${name} starts`);
    await new Promise<void>((resolve) => gates.set(name, resolve));
    log.push(`${name} ends`);
    return name;
  });
  return { log, work, finish: async (name: string) => { gates.get(name)!(); await turns(); } };
}

const claimsOn = (claim: Parameters<typeof createIdentityClaims>[0]['claim'] = () => Promise.resolve([])) => {
  const activity = createActivity();
  return {
    activity,
    claims: createIdentityClaims(
      { claim },
      { activity, times: { sendWithinMs: 10_000, abandonedAfterMs: 120_000 }, monotonicNow: monotonicClock(() => 1_000_000) },
    ),
  };
};

describe('identity claims', () => {
  it('let one unit at a time work on a value, in their order, and other values meanwhile', async () => {
    const { log, work, finish } = workplace(claimsOn().claims);
    const all = Promise.all([work('a1', 'A'), work('a2', 'A'), work('a3', 'A'), work('b', 'B')]);
    await turns();
    expect(log).toEqual(['a1 starts', 'b starts']);
    for (const name of ['b', 'a1', 'a2', 'a3']) await finish(name);
    expect(await all).toEqual(['a1', 'a2', 'a3', 'b']);
    expect(log).toEqual(['a1 starts', 'b starts', 'b ends', 'a1 ends', 'a2 starts', 'a2 ends', 'a3 starts', 'a3 ends']);
  });

  it('continue after work that failed, without passing its failure on', async () => {
    const { claims } = claimsOn();
    const broken = claims.alone(key('A'), () => Promise.reject(new Error('broken')));
    const next = claims.alone(key('A'), () => Promise.resolve('done'));
    await expect(broken).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('do not count a unit that waits for a value as active: no batch waits for it', async () => {
    const { activity, claims } = claimsOn();
    let finish!: () => void;
    const outside = new Promise<void>((resolve) => { finish = resolve; });
    const all = Promise.all(['a1', 'a2'].map(() => {
      activity.enter();
      return claims.alone(key('A'), () => activity.waiting(outside)).finally(() => activity.leave());
    }));
    await turns();
    expect(activity.quiet()).toBe(true);
    finish();
    await all;
    expect(activity.quiet()).toBe(true);
  });

  it('claim different values in one call and the same value in calls of its own', async () => {
    const asked: string[][] = [];
    const ages: number[] = [];
    const { activity, claims } = claimsOn((keys, claimants, { abandonedAfterMs }) => {
      ages.push(abandonedAfterMs);
      asked.push(keys.map(({ value }, index) => `${value} ${claimants[index]!.unit}`));
      return Promise.resolve(keys.map(({ value }) => ({ state: 'done', crmId: value })));
    });
    const ask = (offset: bigint, value: string) => {
      activity.enter();
      return claims.claim(testContext(offset), key(value)).finally(() => activity.leave());
    };
    const answers = await Promise.all([ask(1n, 'A'), ask(2n, 'B'), ask(3n, 'A')]);
    expect(answers).toEqual(['A', 'B', 'A'].map((crmId) => ({ state: 'done', crmId, sendBy: 1_010_000 })));
    expect(ages).toEqual([120_000, 120_000]);
    expect(asked).toEqual([['A evt_1/0/first', 'B evt_2/0/first'], ['A evt_3/0/first']]);
  });
});
