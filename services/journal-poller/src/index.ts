export { journalPoller } from './journal-poller';
