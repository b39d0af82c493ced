import type { RouteReply } from '@sluice/service-kit';
import type { ConfigWork } from './create-config-work';

/**
 * The answer of a route that reads a large document and sends it as it is. That takes milliseconds of the event loop: it counts
 * within the organization's budget of work.
 * @param read gives the answer as JSON
 * @throws HttpError 429 when the budget is used up; nothing is read then
 */
export async function documentReply(
  work: Pick<ConfigWork, 'assertBudget' | 'spend'>,
  organizationId: string,
  read: () => Promise<string>,
): Promise<RouteReply<200>> {
  work.assertBudget(organizationId);
  const body = await read();
  work.spend(organizationId, body.length);
  return { status: 200, body, contentType: 'application/json' };
}
