import { answer, type Answer } from '../http/answer';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';

/** Custom properties that one type may have. Reported, not enforced: the CRM's answer to one more is not documented. */
const limitPerType = 1_000;

/** In percent, with three decimals. */
const percentage = (usage: number, limit: number): number => Math.round((usage / limit) * 100_000) / 1_000;

/** `line_items` is "Line items". */
const words = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

function usageOf({ portal }: PortalCall, type: ObjectType): { usage: number } & Record<string, unknown> {
  const labels = portal.schemas.get(type.id)?.labels ?? { singular: words(type.singular), plural: words(type.name) };
  const usage = [...portal.space(type).definitions.properties.values()].filter(
    (one) => !one.hubspotDefined && !one.archived,
  ).length;
  return {
    objectTypeId: type.id,
    singularLabel: labels['singular'],
    pluralLabel: labels['plural'],
    limit: limitPerType,
    usage,
    percentage: percentage(usage, limitPerType),
  };
}

function customProperties(call: PortalCall): Answer {
  const byObjectType = [...call.portal.types].map((type) => usageOf(call, type));
  const overallUsage = byObjectType.reduce((sum, { usage }) => sum + usage, 0);
  const overallLimit = byObjectType.length * limitPerType;
  return answer(200, { byObjectType, overallLimit, overallUsage, overallPercentage: percentage(overallUsage, overallLimit) });
}

/** How many custom properties there are and may be (the CRM's limits tracking API). */
export const propertyLimitRoutes: readonly PortalRoute[] = [
  { auth: 'portal', budget: 'burst', method: 'GET', path: '/limits/custom-properties', handle: customProperties },
];
