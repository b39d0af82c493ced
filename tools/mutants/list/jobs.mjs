const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'jobs: a job that has ended is cancelled', file: 'packages/contracts/src/jobs/jobs.ts', find: "isEnded(status) ? 'ended' : 'cancel'", replace: "'cancel'", notice: unit('contracts/src/jobs/jobs') },
  { name: 'jobs: a cancelled job cannot be cancelled again', file: 'packages/contracts/src/jobs/jobs.ts', find: "if (status === 'cancelled') return 'already';", replace: '', notice: unit('contracts/src/jobs/jobs') },
  { name: 'jobs: the first page begins after a row', file: 'services/config-api/src/http/row-cursor.ts', find: 'cursors.read(cursor)?.[0] ?? 0', replace: 'cursors.read(cursor)?.[0] ?? 1', notice: unit('config-api/src/http/row-cursor') },
];
