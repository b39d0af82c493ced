import { serveJobs } from '@sluice/work-threads/serve';
import { verifyJobs } from './verify-jobs';

serveJobs(verifyJobs);
