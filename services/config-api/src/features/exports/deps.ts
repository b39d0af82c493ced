import type { BlobStore, ConfigStore, ExportStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { Mailer } from '../../mails/create-mailer';
import type { PackageLinks } from './package-links';

/** What the routes of data exports work with. */
export interface ExportDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors' | 'mails' | 'members'>;
  exports: ExportStore;
  blobs: Pick<BlobStore, 'getStream' | 'size'>;
  packageLinks: PackageLinks;
  mailer: Mailer;
  authenticate: Authenticate<Principal>;
}
