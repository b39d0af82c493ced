import { defineService } from '@sluice/service-kit';
import { createAnnouncement, externalParts, openParts } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeFlowRunner, type ComposeFlowRunner } from './compose';
import { settings as flowRunnerSettings } from './settings';

const [name, version] = ['flow-runner', packageJson.version] as const;

/** Runs flows over events and writes to the CRM. */
export const flowRunner = defineService({
  name,
  version,
  settings: flowRunnerSettings,
  required: () => externalParts,
  openParts: ({ settings, logger, metrics, lifecycle }) =>
    openParts(
      settings,
      { service: name, logger, metrics, crmConnections: settings.crmConnections, startWithoutDatabase: true },
      lifecycle,
    ),
  compose: (parts: ComposeFlowRunner['parts'], { settings, logger, metrics, health, lifecycle, shared }) => {
    composeFlowRunner(
      { settings, parts, logger, metrics, health, ...(shared && { installation: shared.installation }) },
      lifecycle,
    );
    if (!shared) {
      const announcement = createAnnouncement({ kv: parts.kv, name, version, logger });
      lifecycle.add('announcement', announcement.start, announcement.stop);
    }
    return {};
  },
});
