import { runService } from '@sluice/service-kit';
import { exportWorker } from './export-worker';

runService(exportWorker);
