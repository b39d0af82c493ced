/** A finding of preflight about a document that may be saved. Every key is present, null if empty. */
export interface Finding {
  severity: 'error' | 'warning' | 'info';
  code: string;
  message: string;
  /** Place in the document, for example `flows.0.steps.2.fields`. */
  field: string | null;
  suggestion: string | null;
  entity: string | null;
  event_flow: string | null;
  /** Scopes that a new authorization of the portal has to ask for. */
  reauthorize_scopes: string[] | null;
}

/** A finding with the keys that do not concern it empty. */
export function finding(given: Pick<Finding, 'severity' | 'code' | 'message'> & Partial<Finding>): Finding {
  return { field: null, suggestion: null, entity: null, event_flow: null, reauthorize_scopes: null, ...given };
}
