import { externalParts, openParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeJournalPoller, type JournalPollerParts } from './compose';
import { journalPollerSettings } from './settings';

/** Reads what no request brings: pollers and schedules when they are due, files, and the change journal of the CRM. */
export const journalPoller = productService({
  name: 'journal-poller', version: packageJson.version,
  settings: journalPollerSettings,
  required: () => externalParts,
  callsCrm: true,
  openParts: ({ settings, logger, metrics, lifecycle }): JournalPollerParts =>
    openParts(settings, { service: 'journal-poller', logger, metrics }, lifecycle),
  compose: composeJournalPoller,
});
