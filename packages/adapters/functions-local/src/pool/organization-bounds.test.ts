import type { GuestChild } from './guest-child';
import { OrganizationBounds } from './organization-bounds';

describe('the children of an organization', () => {
  let [busy, now] = [true, 5_000];
  let bounds: OrganizationBounds;
  beforeEach(() => {
    [busy, now] = [true, 5_000];
    const options = { bytesPerSecond: 1, computeMsPerSecond: 100, maxPerOrganization: 2, isLoopBusy: () => busy };
    bounds = new OrganizationBounds(options, () => undefined, () => now);
  });
  afterEach(() => bounds.close());
  const child = (isSilent: boolean, claims: number, computes = true): GuestChild =>
    ({ isSilent, claims, priority: { computes: () => computes } }) as unknown as GuestChild;
  const goesOneByOne = (...children: GuestChild[]): boolean => bounds.goesOneByOne('loud', children);

  it('get nothing further while one computes, when the service is busy and others run functions', () => {
    bounds.began('other');
    expect([goesOneByOne(child(false, 1), child(true, 1)), goesOneByOne(child(false, 1))]).toEqual([true, false]);
    // It may also wait for a timer.
    expect(goesOneByOne(child(true, 1, false))).toBe(false);
  });

  it('go on when the service was not busy for three seconds', () => {
    bounds.began('other');
    bounds.look([]);
    busy = false;
    now += 3_000;
    expect(goesOneByOne(child(true, 1))).toBe(true);
    now += 1;
    expect(goesOneByOne(child(true, 1))).toBe(false);
  });

  it('go on when it is alone', () => {
    bounds.began('loud');
    expect(goesOneByOne(child(true, 1))).toBe(false);
  });

  it('get one invocation after the other when they have computed more than its rate', () => {
    bounds.began('other');
    const priority = { look: () => 200, isBusy: false, isCalm: false };
    bounds.look([{ organizationId: 'loud', priority, served: 0, load: 0, isStarting: false } as unknown as GuestChild]);
    expect(bounds.mustWait('loud')).toBe(false);
    expect([goesOneByOne(child(false, 1)), goesOneByOne(child(false, 0)), goesOneByOne()]).toEqual([true, false, false]);
  });
});
