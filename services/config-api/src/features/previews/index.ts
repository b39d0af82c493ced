import type { HttpRoute } from '@sluice/service-kit';
import type { PreviewDeps } from './deps';
import { getPreview } from './get-preview';
import { getPublishReview } from './get-publish-review';
import { getVersionsDiff } from './get-versions-diff';

/** The routes that show what a publish would do, and what earlier ones did. */
export const previewRoutes = (deps: PreviewDeps): HttpRoute[] => [
  getPreview(deps),
  getPublishReview(deps),
  getVersionsDiff(deps),
];
