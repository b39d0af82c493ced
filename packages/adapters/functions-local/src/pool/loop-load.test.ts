import { until } from '@sluice/ports/testing';
import { loopLoad } from './loop-load';

it('an event loop that does nothing is not busy, one that computes all the time is', async () => {
  const isBusy = loopLoad();
  let computing = false;
  const work = setInterval(() => {
    for (const end = performance.now() + (computing ? 20 : 0); performance.now() < end; );
  }, 1);
  await until('it is not busy', () => !isBusy());
  computing = true;
  await until('it is busy', isBusy);
  clearInterval(work);
  await until('it is not busy again', () => !isBusy());
});
