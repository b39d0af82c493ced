export { createSeededRandom, type SeededRandom } from './seeded-random';
