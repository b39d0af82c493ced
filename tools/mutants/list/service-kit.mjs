const kit = 'packages/service-kit/src';
const unit = (pattern) => ({ project: 'unit', pattern: `service-kit/src/${pattern}` });

export default [
  // Reading
  {
    name: 'reading: a reader that failed stays closed', file: `${kit}/reading/topic-reader.ts`,
    find: 'if (this.reader === reader && !this.stopped) this.renew();', replace: '', notice: unit('reading/'),
  },
  {
    name: 'reading: a failed reader is opened again without growing waits', file: `${kit}/reading/reading-troubles.ts`,
    find: 'trouble.failures += 1;', replace: '', notice: unit('reading/'),
  },
  {
    name: 'reading: a subscription that has failed for long does not end liveness', file: `${kit}/reading/reading-troubles.ts`,
    find: 'worst.ms >= deadAfterMs', replace: 'false', notice: unit('reading/'),
  },
  {
    name: 'reading: a reader that fails between two openings counts as working', file: `${kit}/reading/reading-troubles.ts`,
    find: 'now - worksSince >= steadyMs', replace: 'now >= worksSince', notice: unit('reading/'),
  },
  {
    name: 'reading: a database error that is not an outage ends the intake', file: `${kit}/reading/reading-supervisor.ts`,
    find: 'if (!(error instanceof StoreUnavailable)) return this.failed(place, error);',
    replace: 'if (!(error instanceof StoreUnavailable)) throw error;', notice: unit('reading/'),
  },
  {
    name: 'reading: the twin hides what a handler threw', file: 'packages/ports/src/testing/bus/memory-bus.ts',
    find: '    fail(error);\n    void reader.stop();', replace: '    void reader.stop();',
    notice: { project: 'unit', pattern: 'memory-bus' },
  },
  {
    name: 'reading: a partition that cannot be taken is tried only once',
    file: 'services/flow-runner/src/intake/partition-holder.ts',
    find: '      throw error;', replace: '      return null;',
    notice: { project: 'unit', pattern: 'intake/partition-holder' },
  },
  {
    name: 'metrics: a gauge forgets what another service has set', file: `${kit}/observe/create-metrics.ts`,
    find: 'for (const labels of own.values()) metric.remove(labels);', replace: 'metric.reset();', notice: unit('observe/'),
  },
  {
    name: 'http: a route without a body takes any content coding', file: `${kit}/http/routes/serve-route.ts`,
    find: 'if (contract.body === undefined) assertContentCoding(request);', replace: '', notice: unit('http/routes/create-http-app'),
  },
  {
    name: 'http: loopback is every address', file: `${kit}/http/server/http-server.ts`,
    find: "host === 'loopback' ? '127.0.0.1' :", replace: "host === 'loopback' ? undefined :", notice: unit('http/server/http-server'),
  },
  // Lifecycle
  { name: 'signal: exits before the stop has ended', file: `${kit}/lifecycle/run-until-signal.ts`, find: 'const { clean } = await lifecycle.stop(reason);', replace: 'void lifecycle.stop(reason);\n    const clean = true;', notice: unit('lifecycle') },
  { name: 'signal: exits 0 after an unclean stop', file: `${kit}/lifecycle/run-until-signal.ts`, find: 'host.exit(clean ? code : 1);', replace: 'host.exit(code);', notice: unit('lifecycle') },
  // Traces
  {
    name: 'trace: every request opens a span', file: `${kit}/observe/tracing.ts`,
    find: 'if (!recording && trace.getSpan(parent) === undefined) return work();', replace: '', notice: unit('observe/observe'),
  },
  {
    name: 'trace: contexts stay active after the last span', file: `${kit}/observe/tracing.ts`,
    find: 'if (open === 0 && !recording) contexts.disable();', replace: '', notice: unit('observe/observe'),
  },
];
