import type { HttpRoute } from '@sluice/service-kit';
import { deleteDraftSource } from './delete-draft-source';
import { deleteSource } from './delete-source';
import type { SourceDeps } from './deps';
import { getSources } from './get-sources';
import { patchDraftSource } from './patch-draft-source';
import { patchSource } from './patch-source';
import { postSourcePoll } from './post-source-poll';
import { postSourceResume } from './post-source-resume';
import { postSourceRotateSecret } from './post-source-rotate-secret';
import { postSources } from './post-sources';
import { putDraftSource } from './put-draft-source';

/** The routes of sources. */
export const sourceRoutes = (deps: SourceDeps): HttpRoute[] => [
  deleteDraftSource(deps),
  deleteSource(deps),
  getSources(deps),
  patchDraftSource(deps),
  patchSource(deps),
  postSourcePoll(deps),
  postSourceResume(deps),
  postSourceRotateSecret(deps),
  postSources(deps),
  putDraftSource(deps),
];
