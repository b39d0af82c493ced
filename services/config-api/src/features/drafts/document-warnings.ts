import { documentFindings, type Finding } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** More than anybody reads. A document can be made to have thousands. */
const longest = 100;

/** What preflight says about the document alone, without what is only for information; the first hundred. */
export function documentWarnings(config: ConfigDocument): Finding[] {
  return documentFindings(config).filter(({ severity }) => severity !== 'info').slice(0, longest);
}
