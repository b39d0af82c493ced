import type { AssistantStore, EventIndex } from '@sluice/ports';
import type { CatalogueDeps } from '../catalogue/deps';
import type { DraftDeps } from '../drafts/deps';
import type { DryRunDeps } from '../dry-run/deps';
import type { PortalDeps } from '../portal/deps';
import type { PreflightDeps } from '../preflight/deps';
import type { RecordDeps } from '../records/deps';
import type { AssistantTurns } from './turns/assistant-turns';

/** What the routes of the assistant work with, and the routes that its tools call. */
export interface AssistantDeps extends CatalogueDeps, DraftDeps, DryRunDeps, PortalDeps, PreflightDeps, RecordDeps {
  store: DraftDeps['store'] & PortalDeps['store'] & PreflightDeps['store'] & RecordDeps['store'];
  configWork: DraftDeps['configWork'] & RecordDeps['configWork'];
  eventIndex: Pick<EventIndex, 'recentPayloads'>;
  assistant: AssistantStore;
  /** null: the installation has no key of a model. */
  assistantTurns: AssistantTurns | null;
}
