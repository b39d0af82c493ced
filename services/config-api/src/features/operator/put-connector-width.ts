import { configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { iso } from '../../http/iso';
import type { OperatorDeps } from './deps';

export function putConnectorWidth({ authenticateOperator, store, widthLeadMs }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.raiseConnectorWidth, {
    authenticate: authenticateOperator,
    handler: async ({ body, params: { connector_id: id } }) => {
      const raised = await store.connectors.raiseWidth(id, body.width, widthLeadMs);
      if (!raised.ok && raised.reason === 'not_found') throw apiError('connector_not_found');
      const { width, before, from } = raised.width;
      const effectiveAt = from === null ? null : iso(from);
      if (!raised.ok) throw refused(raised.reason, body.width, width, effectiveAt);
      return { status: 200, body: { connector_id: id, width, width_before: before, effective_at: effectiveAt } };
    },
  });
}

function refused(reason: 'narrower' | 'pending', asked: number, width: number, effectiveAt: string | null): HttpError {
  if (reason === 'pending') return apiError('connector_width_change_pending', { effective_at: effectiveAt });
  const message = `Input should be at least ${width}, the present width: a width is never lowered`;
  return new HttpError(422, [validationEntry('body', ['width'], 'greater_than_equal', message, asked)]);
}
