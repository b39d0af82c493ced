/** The single process, what is shipped, how it is deployed. */
const standalone = 'services/standalone/src';
const folder = { project: 'integration', pattern: 'folder/bounded-log' };

export default [
  {
    name: 'log: a second stream gets lines below the level of the log', file: 'packages/service-kit/src/log/create-logger.ts',
    find: 'level: stricter(copy.level, level)', replace: 'level: copy.level',
    notice: { project: 'unit', pattern: 'service-kit/src/log/create-logger' },
  },
  {
    name: 'log: npm start writes every line to stdout too', file: `${standalone}/story/create-story.ts`,
    find: "level: 'warn' as const", replace: "level: 'debug' as const", notice: { project: 'integration', pattern: 'story/log-target' },
  },
  {
    name: 'log: the file of npm start grows without end', file: `${standalone}/folder/bounded-log.ts`,
    find: 'if (size > 0 && size + line.length > maxBytes) startAnew();', replace: '', notice: folder,
  },
  {
    name: 'log: a full disk stops the process', file: `${standalone}/folder/bounded-log.ts`,
    find: '        // The log has nowhere else to go.\n      }\n      done();', replace: '        return done(new Error());\n      }\n      done();', notice: folder,
  },
  {
    name: "log: another process's log is renamed under it", file: `${standalone}/folder/bounded-log.ts`,
    find: '  await copyFile(file, `${file}.1`);\n  await truncate(file);', replace: '  renameSync(file, `${file}.1`);', notice: folder,
  },
];
