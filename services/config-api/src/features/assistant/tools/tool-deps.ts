import type { EventIndex } from '@sluice/ports';
import type { CatalogueDeps } from '../../catalogue/deps';
import type { DraftDeps } from '../../drafts/deps';
import type { DryRunDeps } from '../../dry-run/deps';
import type { PortalDeps } from '../../portal/deps';
import type { PreflightDeps } from '../../preflight/deps';
import type { RecordDeps } from '../../records/deps';

/** What the routes work with that the tools of the assistant call. */
export interface ToolDeps extends CatalogueDeps, DraftDeps, DryRunDeps, PortalDeps, PreflightDeps, RecordDeps {
  store: DraftDeps['store'] & PortalDeps['store'] & PreflightDeps['store'] & RecordDeps['store'];
  configWork: DraftDeps['configWork'] & RecordDeps['configWork'];
  eventIndex: Pick<EventIndex, 'recentPayloads'>;
}
