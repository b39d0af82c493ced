import { parentPort } from 'node:worker_threads';
import { checkConfig, type Problem } from '@sluice/config-model';

/** One document to check. Text, because it is copied between threads faster than a document. */
export interface CheckJob {
  text: string;
  moment: 'save' | 'publish';
  /** Names of the organization's credentials; null: not looked at. */
  credentialNames: string[] | null;
  privateTargets: 'allowed' | 'refused';
}

/** What the worker says: once that it is ready, then the answer to each job. */
export type CheckMessage = { kind: 'ready' } | { kind: 'checked'; problems: Problem[] };

const port = parentPort;
port?.on('message', ({ text, moment, credentialNames, privateTargets }: CheckJob) => {
  const lookups = credentialNames === null ? {} : { credentialNames: new Set(credentialNames) };
  port.postMessage({
    kind: 'checked',
    problems: checkConfig(JSON.parse(text), { moment, lookups, privateTargets }),
  } satisfies CheckMessage);
});
port?.postMessage({ kind: 'ready' } satisfies CheckMessage);
