import type { AuditFacts } from '@sluice/ports';

/** The facts of a change of an organization that no caller makes. */
export const bySystem = (organizationId: string, action: string): AuditFacts => ({
  organizationId, actor: { type: 'system', id: null, label: null }, action, target: { type: 'organization', id: organizationId },
  ip: null, requestId: null,
});
