import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { type ProfileKind, profileSuffix } from './profiling';

/** Loaded into services that are profiled: SIGUSR2 starts a profile, the next one ends and writes it. */
const folder = process.env['SLUICE_BENCH_PROFILES'];
const kind: ProfileKind = process.env['SLUICE_BENCH_PROFILE_KIND'] === 'allocations' ? 'allocations' : 'cpu';
/** Bytes between two samples, on average: a record allocates more than one of them. */
const samplingBytes = 16_384;

const session = new Session();

function start(): void {
  if (kind === 'cpu') return session.post('Profiler.start');
  session.post('HeapProfiler.startSampling', {
    samplingInterval: samplingBytes, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true,
  });
}

function stop(): void {
  const method = kind === 'cpu' ? 'Profiler.stop' : 'HeapProfiler.stopSampling';
  session.post(method, (error: Error | null, answer: { profile: object }) => {
    if (error || folder === undefined) return;
    writeFileSync(join(folder, `${process.pid}.${profileSuffix[kind]}`), JSON.stringify(answer.profile));
  });
}

if (isMainThread) {
  let running = false;
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  process.on('SIGUSR2', () => {
    running = !running;
    return running ? start() : stop();
  });
}
