import { join } from 'node:path';
import type { Problem } from '@sluice/config-model';
import type { ConfigWork } from './create-config-work';
import type { CheckJob, Inspection } from './jobs/check-config';

/** What the caller says of a document; the checker adds what the installation allows. */
export type DocumentToCheck = Omit<CheckJob, 'privateTargets' | 'watchedFolder' | 'ownBucket'>;

/** Checks config documents outside the event loop (`ConfigWork`), each within a time limit. */
export interface ConfigChecker {
  /** All problems of a document, given as JSON, from `checkConfig`. Throws as `ConfigWork.run` does. */
  check(organizationId: string, document: DocumentToCheck): Promise<Problem[]>;
  /** The same with the findings and facts that the document asks for. */
  inspect(organizationId: string, document: DocumentToCheck): Promise<Inspection>;
}

export interface ConfigCheckerOptions {
  /** Whether documents may name private and loopback addresses. */
  privateTargets: CheckJob['privateTargets'];
  /** Folder in which each organization has one that its file sources may watch, by its id; null: none may be watched. */
  fileRoot: string | null;
  /** Bucket of the installation itself, which no file source may watch; null: it has none. */
  ownBucket: string | null;
}

export function createConfigChecker(
  work: Pick<ConfigWork, 'run'>,
  { privateTargets, fileRoot, ownBucket }: ConfigCheckerOptions,
): ConfigChecker {
  const inspect: ConfigChecker['inspect'] = (organizationId, document) => {
    const watchedFolder = fileRoot === null ? null : join(fileRoot, organizationId);
    const bytes = document.text.length + (document.describe?.active?.length ?? 0);
    return work.run(organizationId, 'check_config', { ...document, privateTargets, watchedFolder, ownBucket }, { bytes });
  };
  return { inspect, check: async (organizationId, document) => (await inspect(organizationId, document)).problems };
}
