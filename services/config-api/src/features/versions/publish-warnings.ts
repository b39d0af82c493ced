/** A finding as preflight and publish list it: every key present. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  code: string;
  message: string;
  field: string | null;
  suggestion: string | null;
  entity: string | null;
  event_flow: string | null;
  reauthorize_scopes: string[] | null;
}

export function warning(code: string, message: string, suggestion: string | null = null): Finding {
  return {
    severity: 'warning',
    code,
    message,
    field: null,
    suggestion,
    entity: null,
    event_flow: null,
    reauthorize_scopes: null,
  };
}
