import fc from 'fast-check';
import { createFifo } from './fifo';

test('is a list that is pushed at one end and shifted at the other', () => {
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.integer() }, { weight: 2, arbitrary: fc.constant('shift' as const) }),
    { maxLength: 600, size: 'max' },
  );
  fc.assert(
    fc.property(steps, fc.nat(600), (todo, keepAt) => {
      const fifo = createFifo<number>();
      let list: number[] = [];
      todo.forEach((step, i) => {
        if (step === 'shift') {
          if (fifo.shift() !== list.shift()) throw new Error(`another entry at step ${i}`);
        } else {
          fifo.push(step);
          list.push(step);
        }
        if (i === keepAt) {
          fifo.keep((entry) => entry % 2 === 0);
          list = list.filter((entry) => entry % 2 === 0);
        }
        if (fifo.size() !== list.length) throw new Error(`another size at step ${i}`);
      });
    }),
  );
});
