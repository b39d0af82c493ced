import { runSeed } from './run-seed';

// A few seeds, so that a broken runner or world is seen at once; `npm test` runs 1,000, `npm run simulate` any number.
const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

test.each(seeds)('runners keep the guarantees (seed %i)', async (seed) => {
  expect(await runSeed(seed)).toMatchObject({ seed, ok: true });
});

test('the same seed is the same run', async () => {
  expect(await runSeed(7)).toEqual(await runSeed(7));
});
