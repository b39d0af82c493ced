import type { OrganizationRow } from '@sluice/ports';
import { createCreationLimit } from './create-creation-limit';

const organization = (tier: string, limits = {}): OrganizationRow => ({ id: 'one', tier, limits }) as OrganizationRow;
const refusal = (work: Promise<void>) =>
  work.then(
    () => null,
    (error: { status: number; headers: Record<string, string> }) => error,
  );

function counted(allowed: number) {
  const asked: [string, { limit: number; windowMs: number }][] = [];
  return {
    asked,
    slideWindow: async (...given: (typeof asked)[number]) => ({
      allowed: asked.push(given) <= allowed,
      remaining: 0,
      resetMs: 90_000,
    }),
  };
}

test('counts what an organization creates within an hour, and answers when to try again', async () => {
  const limits = counted(1);
  const limit = createCreationLimit(limits, 1);
  expect(await refusal(limit(organization('trial')))).toBeNull();
  expect(await refusal(limit(organization('enterprise')))).toMatchObject({ status: 429, headers: { 'Retry-After': '90' } });
  expect(limits.asked).toEqual([
    ['config-created:one', { limit: 300, windowMs: 3_600_000 }],
    ['config-created:one', { limit: 3_000, windowMs: 3_600_000 }],
  ]);
});

test('counts nothing at scale 0', async () => {
  const limits = counted(0);
  expect(await refusal(createCreationLimit(limits, 0)(organization('free')))).toBeNull();
  expect(limits.asked).toEqual([]);
});
