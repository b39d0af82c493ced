import type { MonotonicClock } from '@sluice/ports';
import { ImportRate } from './import-rate';

/** Rows that never end, and five live events a second that take as long as the test says. */
class Traffic {
  now = 0;
  tookMs = 3;
  isLive = true;
  readonly rate: ImportRate;

  constructor(least: number) {
    this.rate = new ImportRate(least, (() => this.now) as MonotonicClock);
  }

  /** @returns the rows that began in each second */
  seconds(count: number): number[] {
    const begun: number[] = [];
    for (let second = 0; second < count; second += 1) {
      let rows = 0;
      for (let tick = 0; tick < 10; tick += 1) {
        this.now += 100;
        if (this.isLive && tick % 2 === 0) this.rate.live(this.tookMs);
        rows += this.rate.take(10_000, 100);
      }
      begun.push(rows);
    }
    return begun;
  }
}

test('without live events all rows begin', () => {
  const traffic = new Traffic(100);
  traffic.isLive = false;
  expect(traffic.rate.take(750, 100)).toBe(750);
});

test('begins with the least beside live events, and with more as long as they are taken in as fast as before', () => {
  const begun = new Traffic(100).seconds(6);
  expect(begun[0]).toBeLessThanOrEqual(200);
  expect(begun.at(-1)).toBeGreaterThan(begun[1]!);
  expect(begun.at(-1)).toBeGreaterThanOrEqual(300);
});

test('rows begin in portions, so that a call of the CRM is full', () => {
  const traffic = new Traffic(100);
  traffic.seconds(1);
  traffic.now += 100;
  expect([0, 100]).toContain(traffic.rate.take(10_000, 100));
});

test('begins half as many after each second in which live events took longer, and never fewer than the least', () => {
  const traffic = new Traffic(100);
  traffic.seconds(9);
  traffic.tookMs = 30;
  const begun = traffic.seconds(6);
  expect(begun[2]).toBeLessThan(begun[0]!);
  expect(begun.slice(-2).reduce((sum, rows) => sum + rows, 0)).toBe(200);
});

test('what they always take does not count, however long it is', () => {
  const traffic = new Traffic(100);
  traffic.tookMs = 4_000;
  expect(traffic.seconds(6).at(-1)).toBeGreaterThanOrEqual(300);
});

test('takes the best of the last minutes for what can be: what stays slower does not hold rows up for ever', () => {
  const traffic = new Traffic(100);
  traffic.seconds(5);
  traffic.tookMs = 40;
  expect(traffic.seconds(200).at(-1)).toBeLessThanOrEqual(100);
  expect(traffic.seconds(500).at(-1)).toBeGreaterThan(300);
});

test('begins with the least again when live events come after a pause, and everything begins in the pause', () => {
  const traffic = new Traffic(100);
  traffic.seconds(9);
  traffic.isLive = false;
  expect(traffic.seconds(3).at(-1)).toBe(100_000);
  traffic.isLive = true;
  expect(traffic.seconds(1)[0]).toBeLessThanOrEqual(200);
});

test('the last rows of an import do not wait for more of them', () => {
  const traffic = new Traffic(100);
  traffic.seconds(1);
  traffic.now += 100;
  traffic.rate.live(3);
  const rate = (): number => { traffic.now += 100; return traffic.rate.take(7, 100); };
  expect(Math.max(rate(), rate(), rate())).toBe(7);
});
