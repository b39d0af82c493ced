import type { HttpRoute } from '@sluice/service-kit';
import type { SourceFileDeps } from './deps';
import { getSourceFile } from './get-source-file';
import { getSourceFiles } from './get-source-files';
import { postSourceFiles } from './post-source-files';

/** The routes of files of sources. */
export const sourceFileRoutes = (deps: SourceFileDeps): HttpRoute[] => [
  postSourceFiles(deps), getSourceFiles(deps), getSourceFile(deps),
];
