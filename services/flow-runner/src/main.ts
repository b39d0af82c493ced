import { runService } from '@sluice/service-kit';
import { flowRunner } from './flow-runner';

runService(flowRunner);
