import { serveJobs } from '@sluice/work-threads/serve';
import { configJobs } from './config-jobs';

// The first check compiles the schemas: not within the time that a document may take.
serveJobs(configJobs, () => {
  const installation = { privateTargets: 'refused', watchedFolder: null, ownBucket: null } as const;
  configJobs.check_config({ text: '{}', moment: 'save', credentials: null, ...installation });
});
