import { runService } from '@sluice/service-kit';
import { configApi } from './config-api';

runService(configApi);
