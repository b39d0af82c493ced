import type { ConfigDocument } from '@sluice/contracts';
import { shopConfig } from '../../testing/shop-config';
import { checkConfig } from '../check-config';

/** A change that makes the config of the shop wrong, and what a save says to it. */
export interface BrokenConfig {
  title: string;
  change: (config: ConfigDocument) => void;
  expected: { type: string; loc: (string | number)[]; msg?: string }[];
}

/** The problems that a save finds. */
export const save = (config: unknown) => checkConfig(config, { moment: 'save' });

/** Expects exactly the problems of the case, and that none repeats a secret (`hunter2`). */
export function expectProblems({ change, expected }: BrokenConfig): void {
  const config = shopConfig();
  change(config);
  const problems = save(config);
  expect(problems).toHaveLength(expected.length);
  expect(problems).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one) as unknown)));
  expect(JSON.stringify(problems)).not.toContain('hunter2');
}
