import type { CrmResult } from '@sluice/ports';
import type { Activity } from './activity';
import { callContextOf } from './call-context';
import type { CallKind } from './portal-budget';
import type { PortalSession } from './portal-session';
import type { UnitContext } from './unit-context';

/** A call that one unit makes alone. Meanwhile the unit counts as waiting. */
export function callForUnit<T>(
  { activity, session }: { activity: Activity; session: PortalSession },
  unit: UnitContext,
  kind: CallKind,
  send: Parameters<typeof session.call<T>>[1],
): Promise<CrmResult<T>> {
  return activity.waiting(session.call(kind, send, callContextOf([{ unit }])));
}
