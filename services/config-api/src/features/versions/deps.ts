import type { ConfigStore, FunctionPlatform, Keyring } from '@sluice/ports';
import type { OpenPortal } from '../../provisioning/open-portal';
import type { ConfigWork } from '../../work/create-config-work';
import type { DraftDeps } from '../drafts/deps';
import type { JournalSubscribing } from '../../provisioning/subscribe-journal';

/**
 * What the routes of publishing and of versions work with: a version is made of a draft, and a draft starts over from a version.
 */
export interface VersionDeps extends DraftDeps, JournalSubscribing {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts' | 'organizations' | 'plugins'>;
  /** Tells whether a function has the version that an override names. */
  functions: Pick<FunctionPlatform, 'has'>;
  configWork: Pick<ConfigWork, 'run' | 'assertBudget' | 'spend'>;
  /** Encrypts the secrets of new webhooks. */
  webhookKeyring: Keyring;
  /** To provision the portal of a connector. */
  openPortal: OpenPortal;
  /** Records of a first sync (SLUICE_WRITE_CAP). */
  writeCapLimit: number;
}
