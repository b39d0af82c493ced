import { runService } from '@sluice/service-kit';
import { journalPoller } from './journal-poller';

runService(journalPoller);
