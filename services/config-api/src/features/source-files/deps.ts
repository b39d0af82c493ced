import type { BlobStore, ConfigStore, SourceFileStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of files of sources work with. */
export interface SourceFileDeps {
  store: Pick<ConfigStore, 'connectors' | 'sources'>;
  sourceFiles: SourceFileStore;
  blobs: Pick<BlobStore, 'putStream' | 'delete'>;
  authenticate: Authenticate<Principal>;
}
