const kit = 'packages/service-kit/src';
const unit = (pattern) => ({ project: 'unit', pattern: `service-kit/src/${pattern}` });

export default [
  // Lifecycle
  { name: 'signal: exits before the stop has ended', file: `${kit}/lifecycle/run-until-signal.ts`, find: 'const { clean } = await lifecycle.stop(reason);', replace: 'void lifecycle.stop(reason);\n    const clean = true;', notice: unit('lifecycle') },
  { name: 'signal: exits 0 after an unclean stop', file: `${kit}/lifecycle/run-until-signal.ts`, find: 'host.exit(clean ? code : 1);', replace: 'host.exit(code);', notice: unit('lifecycle') },
];
