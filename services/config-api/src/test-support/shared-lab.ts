import { startLab } from './lab';

export type Lab = Awaited<ReturnType<typeof startLab>>;

/** The lab of this file of tests, and of the modules of tests that it calls; there from the first test on. */
export let lab: Lab;

/** One lab for all tests of a file, stopped after the last one. */
export function shareLab(...options: Parameters<typeof startLab>): void {
  beforeAll(async () => { lab = await startLab(...options); });
  afterAll(() => lab.stop());
}
