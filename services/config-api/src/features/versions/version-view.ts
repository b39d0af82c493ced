import type { VersionRow } from '@sluice/ports';
import { iso } from '../../http/iso';

export const versionView = (version: VersionRow) => ({
  version: version.version,
  is_active: version.isActive,
  published_at: iso(version.publishedAt),
  published_by: version.publishedBy,
  change_summary: version.changeSummary,
});
