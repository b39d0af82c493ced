import { orderingOf } from '@sluice/contracts';
import type { Finding } from '@sluice/config-model';
import type { UpdatedConnector } from '@sluice/ports';
import { warning } from '../versions/publish-warnings';

/** `settings` is replaced as a whole: leaving out the ordering changes it, maybe unintentionally. */
export function orderingWarnings({ connector, orderingBefore }: UpdatedConnector): Finding[] {
  const ordering = orderingOf(connector.settings);
  if (ordering === orderingBefore) return [];
  const message = `The ordering of events changes from "${orderingBefore}" to "${ordering}". `
    + 'Events accepted from now on wait until everything accepted before has settled.';
  const suggestion = `To keep the ordering send settings.ordering "${orderingBefore}".`;
  return [{ ...warning('ordering_changed', message, suggestion), field: 'settings.ordering' }];
}
