import { newEnrollment, stepOf } from './totp';

/** RFC 6238, appendix B (SHA-1), with the last six of its eight digits. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const rfcCodes: [seconds: number, code: string][] = [
  [59, '287082'], [1_111_111_109, '081804'], [1_111_111_111, '050471'], [1_234_567_890, '005924'], [2_000_000_000, '279037'],
];

test.each(rfcCodes)('at %d s the code is %s, also for the step before and after, no further', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  const at = (steps: number): number | null => stepOf(rfcSecret, code, (seconds + steps * 30) * 1_000);
  expect([at(-1), at(0), at(1)]).toEqual([step, step, step]);
  expect([at(-2), at(2)]).toEqual([null, null]);
});

test.each(['28708', '2870820', 'abcdef', '', '28708२'])('%j is no code', (code) => {
  expect(stepOf(rfcSecret, code, 59_000)).toBeNull();
});

test('every secret is another', () => {
  const secrets = Array.from({ length: 50 }, () => newEnrollment('ada@shop.example').secret);
  expect(new Set(secrets).size).toBe(50);
});
