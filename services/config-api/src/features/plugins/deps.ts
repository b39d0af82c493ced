import type { ConfigStore, FunctionPlatform, Logger, PluginRunStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { ConfigWork } from '../../work/create-config-work';

/** What the routes of plugins work with. */
export interface PluginDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'plugins'>;
  /** Runs plugins by hand. */
  functions: Pick<FunctionPlatform, 'invoke'>;
  pluginRuns: Pick<PluginRunStore, 'logs' | 'metrics' | 'note'>;
  /** Lines of its log that a plugin keeps of one hour. */
  pluginLinesPerHour: number;
  /** For the linter. */
  configWork: Pick<ConfigWork, 'run'>;
  logger: Logger;
  authenticate: Authenticate<Principal>;
}
