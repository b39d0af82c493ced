import { parentPort } from 'node:worker_threads';
import { checkConfig, documentFindings, type Finding, type Problem } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** One document to check. Text, because it is copied between threads faster than a document. */
export interface CheckJob {
  text: string;
  moment: 'save' | 'publish';
  /** Names of the organization's credentials; null: they are not checked. */
  credentialNames: string[] | null;
  privateTargets: 'allowed' | 'refused';
  /** Folder that file sources of the organization may watch; null: none may be watched. */
  watchedFolder: string | null;
  /** Whether to add findings about a document that may be saved. */
  findings?: boolean;
}

/** Messages of the worker: once that it is ready, then the answer to each job. */
export type CheckMessage = { kind: 'ready' } | { kind: 'checked'; problems: Problem[]; findings?: Finding[] };

const port = parentPort;
port?.on('message', ({ text, moment, credentialNames, findings: wanted = false, ...installation }: CheckJob) => {
  const lookups = credentialNames === null ? {} : { credentialNames: new Set(credentialNames) };
  const config: unknown = JSON.parse(text);
  const problems = checkConfig(config, { moment, lookups, ...installation });
  // Findings are about a document that may be saved, independent of what only a publish refuses.
  const isSavable = (): boolean => problems.length === 0 || checkConfig(config, { moment: 'save', ...installation }).length === 0;
  const findings = wanted && isSavable() ? documentFindings(config as ConfigDocument) : [];
  port.postMessage({ kind: 'checked', problems, findings } satisfies CheckMessage);
});
// The first check compiles the schemas: not within the time that a document may take.
if (port) checkConfig({}, { moment: 'save', privateTargets: 'refused' });
port?.postMessage({ kind: 'ready' } satisfies CheckMessage);
