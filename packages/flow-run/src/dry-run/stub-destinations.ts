import type { Source } from '@sluice/contracts';
import type { StepFailure } from '@sluice/flow-engine';
import type { DryRunNotes } from './dry-run-notes';

export interface StubRequest {
  /** Name of a source of type rest; null: `url` is a whole URL. */
  target: string | null;
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body?: unknown;
}

export interface StubResponse {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

/** The REST destinations of a dry run: each answers what its `dry_run_response` says, without one an empty 200. */
export class StubDestinations {
  constructor(
    private readonly sources: readonly Source[],
    private readonly notes: DryRunNotes,
  ) {}

  send({ target, method, url, headers, body }: StubRequest): StubResponse {
    const config = this.sources.find(({ name, type }) => name === target && type === 'rest')?.config ?? {};
    const base = typeof config.base_url === 'string' ? config.base_url : '';
    this.notes.request({
      ...(target !== null && { target }),
      method,
      url: base === '' ? url : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`,
      // Those of secret_headers and of the credential are added when it is sent; a dry run reads no secret.
      headers: { ...asObject(config.default_headers), ...headers },
      ...(body !== undefined && { body }),
    });
    this.notes.flag({ stubbed_external_response: true });
    const { status, body: answer, headers: answered } = asObject(config.dry_run_response);
    return { status: typeof status === 'number' ? status : 200, body: answer ?? null, headers: asObject(answered) };
  }
}

/** What a status means to a step; null: it went well. */
export function refusal(response: StubResponse): StepFailure | null {
  const { status } = response;
  const message = `the destination answers ${status}`;
  if (status < 400) return null;
  if (status === 401 || status === 403) return { kind: 'fatal', code: 'target_unauthorized', message };
  if (status >= 500 || [408, 425, 429].includes(status)) return { kind: 'transient', code: 'target_unavailable', message };
  return { kind: 'permanent', code: 'target_rejected', message };
}

function asObject(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
