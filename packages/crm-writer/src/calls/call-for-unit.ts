import type { CrmResult } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { callContextOf } from './call-context';
import type { CallKind } from '../session/portal-budget';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';

/** A call that one unit makes alone. Meanwhile the unit counts as waiting. */
export function callForUnit<T>(
  { activity, session }: { activity: Activity; session: PortalSession },
  unit: UnitContext,
  kind: CallKind,
  send: Parameters<typeof session.call<T>>[1],
): Promise<CrmResult<T>> {
  return activity.waiting(session.call(kind, send, callContextOf([{ unit }])));
}
