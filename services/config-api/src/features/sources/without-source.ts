import type { ConfigDocument } from '@sluice/contracts';
import { apiError } from '@sluice/service-kit';
import type { ChangedDraft } from '../drafts/change-draft';
import { removePart } from '../drafts/draft-part';

/** The config without a source. Throws 404 when it has none of that name, 409 while a flow names it. */
export function withoutSource(name: string): (config: ConfigDocument) => ChangedDraft {
  const remove = removePart('sources', name);
  return (config) => {
    const changed = remove(config);
    const flows = config.flows.filter(({ source, steps }) => source === name || steps.some(({ target }) => target === name));
    if (flows.length > 0) throw apiError('source_in_use', { flows: flows.map((flow) => flow.name) });
    return changed;
  };
}
