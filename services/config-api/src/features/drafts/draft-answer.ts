import { emptyConfig } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { ConfigStore, DraftRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { actorOf, type Principal } from '../../auth/principal';
import type { DraftDeps } from './deps';
import { draftView } from './draft-view';
import { checkDraft } from './check-draft';

/** The draft of a connector; the first read creates an empty one. */
export async function readDraft({ store }: { store: Pick<ConfigStore, 'drafts'> }, connectorId: string): Promise<DraftRow> {
  const draft = await store.drafts.get(connectorId, emptyConfig());
  if (!draft) throw apiError('connector_not_found');
  return draft;
}

/** A read draft as every draft route answers it. */
export async function draftAnswer(deps: DraftDeps, organizationId: string, connectorId: string, draft: DraftRow) {
  const [text, active] = [JSON.stringify(draft.config), await activeText(deps, connectorId)];
  const bytes = text.length + (active?.length ?? 0);
  return draftView(draft, await deps.configWork.run(organizationId, 'describe_draft', { text, active }, { bytes }));
}

/** The config of the active version as JSON; null before the first publish. */
async function activeText({ store }: Pick<DraftDeps, 'store'>, connectorId: string): Promise<string | null> {
  const active = await store.drafts.version(connectorId, 'active');
  return active && JSON.stringify(active.config);
}

export interface DraftWrite {
  config: unknown;
  expectedVersion?: number;
  /** Moves the base, for a draft that starts over from a version. */
  baseVersion?: number;
}

/** Checks and stores a draft. Throws the 409, 413, 422 and 402 of draft writes; answers the draft as a read does. */
export async function writeDraft(
  deps: DraftDeps,
  principal: Principal,
  connectorId: string,
  { config, expectedVersion, baseVersion }: DraftWrite,
) {
  const active = await activeText(deps, connectorId);
  const { document, facts } = await checkDraft(deps, { config, active, organization: principal.organization }, async () => {
    const draft = await readDraft(deps, connectorId);
    return [draft.config, ...(active === null ? [] : [JSON.parse(active) as unknown])] as ConfigDocument[];
  });
  const saved = await deps.store.drafts.save(connectorId, {
    config: document,
    expectedVersion,
    baseVersion,
    updatedBy: actorOf(principal),
  });
  if (!saved) throw apiError('connector_not_found');
  if (!saved.ok)
    throw apiError('draft_version_conflict', { expected_version: expectedVersion, draft_version: saved.draftVersion });
  return draftView(saved.draft, facts);
}
