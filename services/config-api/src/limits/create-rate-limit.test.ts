import { createRateLimit } from './create-rate-limit';

const refusal = (work: Promise<void>) =>
  work.then(
    () => null,
    (error: { status: number; headers: Record<string, string> }) => error,
  );

/** A counter that allows a number of requests for every key. */
function counted(allowed: number) {
  const asked: unknown[] = [];
  return {
    asked,
    slideWindow: async (...given: unknown[]) => ({
      allowed: asked.push(given) <= allowed,
      remaining: allowed - asked.length,
      resetMs: 1_001,
    }),
  };
}

describe('createRateLimit', () => {
  it('allows 50 requests a second per organization, and answers when to try again', async () => {
    const limits = counted(2);
    const limit = createRateLimit(limits, 1);
    expect([await refusal(limit('one')), await refusal(limit('one'))]).toEqual([null, null]);
    expect(await refusal(limit('one'))).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1', 'X-RateLimit-Limit': '50', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2' },
    });
    expect(limits.asked[0]).toEqual(['config-rate:one', { limit: 50, windowMs: 1_000 }]);
  });

  it('scales, counts nothing at scale 0, and always allows at least one request a second', async () => {
    const limits = counted(0);
    expect(await refusal(createRateLimit(limits, 0)('one'))).toBeNull();
    expect(limits.asked).toEqual([]);
    await refusal(createRateLimit(limits, 0.1)('one'));
    await refusal(createRateLimit(limits, 0.000_1)('one'));
    expect(limits.asked.map((given) => ((given as unknown[])[1] as { limit: number }).limit)).toEqual([5, 1]);
  });
});
