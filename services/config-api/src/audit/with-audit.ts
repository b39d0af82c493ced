import {
  type AuditActor,
  type AuditFacts,
  type AuditScope,
  type AuditStore,
  completed,
  inAuditScope,
  type Logger,
} from '@sluice/ports';
import { type CallContext, HttpError, type HttpRoute } from '@sluice/service-kit';
import type { Request } from 'express';
import { type Caller, isOperator, type Principal } from '../auth/principal';
import type { BoundedAudit } from './bounded-audit';

export interface AuditDeps {
  audit: Pick<AuditStore, 'add'>;
  /** Takes the entries of what changed nothing. */
  bounded: Pick<BoundedAudit, 'add'>;
  logger: Logger;
}

/**
 * The same route, with the audit entries that its contract declares. The store writes the entry of a change in its transaction;
 * refusals, reads, and changes made elsewhere, are written here.
 */
export function withAudit({ audit, bounded, logger }: AuditDeps): (route: HttpRoute) => HttpRoute {
  async function tellDone(scope: AuditScope, { method }: HttpRoute['contract']): Promise<void> {
    const log = method === 'get' ? bounded : audit;
    for (const entry of scope.written ? [] : completed(scope, 'done', null)) await log.add(entry);
  }

  async function tellRefusal(scope: AuditScope, error: unknown): Promise<void> {
    for (const entry of scope.written ? [] : completed(scope, 'refused', reasonOf(error))) {
      // The log of an organization that does not exist is not written.
      if (entry.actor.type === 'operator' && error instanceof HttpError && error.status === 404) continue;
      await bounded.add(entry);
    }
  }

  return (route) => {
    const { audit: declared, method } = route.contract;
    if (!declared) return route;
    return {
      ...route,
      around: (request, context, work) => inAuditScope(() => factsOf(request, context), async (scope) => {
        try {
          const answer = await work();
          if (declared.elsewhere || method === 'get') await tellDone(scope, route.contract);
          return answer;
        } catch (error) {
          await tellRefusal(scope, error).catch((cause: unknown) =>
            logger.warn('a refusal is missing in the audit log', { error: cause }),
          );
          throw error;
        }
      }),
    };
  };
}

function factsOf({ params }: Request, { contract, address, requestId, principal }: CallContext): AuditFacts {
  const { action = '', target = '', param } = contract.audit ?? {};
  const byOperator = isOperator(principal);
  const caller = contract.auth === 'operator' ? undefined : (principal as Principal | Caller | undefined);
  const id = param === undefined ? ownId(target, caller) : textOf(params[param]);
  // What an operator does is logged in the organization that it is about; what others try there is logged in none.
  const organizationId = byOperator ? (target === 'organization' && isUuid(id) ? id : null) : caller?.organization?.id ?? null;
  return {
    organizationId,
    actor: byOperator ? operator : actorOf(caller),
    action,
    target: { type: target, id },
    ip: address,
    requestId,
  };
}

const operator: AuditActor = { type: 'operator', id: null, label: 'operator' };

function actorOf(principal: Principal | Caller | undefined): AuditActor {
  if (principal === undefined) return { type: 'user', id: null, label: null };
  return principal.kind === 'key'
    ? { type: 'org_key', id: principal.keyId, label: principal.label }
    : { type: 'user', id: principal.userId, label: principal.email };
}

/** Without an id in the path, what a person does with a user is done with his own account. */
const ownId = (target: string, caller: Principal | Caller | undefined): string | null =>
  target === 'user' && caller !== undefined && caller.kind !== 'key' ? caller.userId : null;

const isUuid = (id: string | null): boolean => id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 64) : null);

/** The code of an error, without any content of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof HttpError)) return 'internal_error';
  const { detail } = error;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return 'validation';
  const { error: code, code: other } = (detail ?? {}) as { error?: unknown; code?: unknown };
  return String(code ?? other ?? error.status);
}
