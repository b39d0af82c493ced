import type { HttpRoute } from '@sluice/service-kit';
import type { DraftDeps } from './deps';
import { getDraft } from './get-draft';
import { patchDraft } from './patch-draft';
import { postDraftReset } from './post-draft-reset';
import { putDraft } from './put-draft';

/** The routes of drafts. */
export const draftRoutes = (deps: DraftDeps): HttpRoute[] => [
  getDraft(deps),
  patchDraft(deps),
  postDraftReset(deps),
  putDraft(deps),
];
