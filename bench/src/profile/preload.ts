import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

/** Loaded into services by `--profile`: SIGUSR2 starts a CPU profile, the next one ends and writes it. */
const folder = process.env['SLUICE_BENCH_PROFILES'];
const session = new Session();
let running = false;
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 500 });
process.on('SIGUSR2', () => {
  running = !running;
  if (running) return session.post('Profiler.start');
  session.post('Profiler.stop', (error, answer) => {
    if (error || folder === undefined) return;
    writeFileSync(join(folder, `${process.pid}.cpuprofile`), JSON.stringify(answer.profile));
  });
});
