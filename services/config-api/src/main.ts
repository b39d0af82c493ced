import { runMain } from '@sluice/service-kit';
import { runConfigApi } from './run';

runMain(() => runConfigApi(process.env));
