export { createSeededRandom as createPrng, type SeededRandom as Prng } from '@sluice/seeded-random';
