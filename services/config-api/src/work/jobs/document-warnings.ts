import { documentFindings, type Finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** Warnings in one answer at most; a document can have thousands. */
const longest = 100;

/** The findings of preflight about the document only, without those for information; the first hundred. */
export function documentWarnings(config: ConfigDocument): Finding[] {
  return documentFindings(config).filter(({ severity }) => severity !== 'info').slice(0, longest);
}
