import type { HttpRoute } from '@sluice/service-kit';
import { deleteDraftEntity } from './delete-draft-entity';
import { deleteDraftFlow } from './delete-draft-flow';
import type { DraftDeps } from './deps';
import { getDraft } from './get-draft';
import { patchDraft } from './patch-draft';
import { patchDraftSettings } from './patch-draft-settings';
import { postDraftEntityDiscard } from './post-draft-entity-discard';
import { postDraftReset } from './post-draft-reset';
import { putDraft } from './put-draft';
import { putDraftEntity } from './put-draft-entity';
import { putDraftFlow } from './put-draft-flow';

/** The routes of drafts. */
export const draftRoutes = (deps: DraftDeps): HttpRoute[] => [
  deleteDraftEntity(deps),
  deleteDraftFlow(deps),
  getDraft(deps),
  patchDraft(deps),
  patchDraftSettings(deps),
  postDraftEntityDiscard(deps),
  postDraftReset(deps),
  putDraft(deps),
  putDraftEntity(deps),
  putDraftFlow(deps),
];
