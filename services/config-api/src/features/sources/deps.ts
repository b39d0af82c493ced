import type { ConfigReader, ConfigStore, Keyring } from '@sluice/ports';
import type { DraftDeps } from '../drafts/deps';

/** What the routes of sources work with: definitions are part of the draft, states have their own rows. */
export interface SourceDeps extends DraftDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts' | 'organizations' | 'sources'>;
  configReader: Pick<ConfigReader, 'versionSources'>;
  /** Encrypts the secrets of webhooks. */
  webhookKeyring: Keyring;
}
