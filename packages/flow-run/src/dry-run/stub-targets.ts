import type { Source } from '@sluice/contracts';
import { type RestTargets, targetFailure, type TargetRequest, type TargetResult, targetUrl, wallClock } from '@sluice/ports';
import type { DryRunNotes } from './dry-run-notes';

/** The destinations of a dry run: each answers what its `dry_run_response` says, without one an empty 200. */
export class StubTargets implements RestTargets {
  /** @param timestamp that of the event: it is the time of the run, so that a dry run can be repeated */
  constructor(
    private readonly sources: readonly Source[],
    private readonly timestamp: string,
    private readonly notes: DryRunNotes,
  ) {}

  readonly now = wallClock(() => {
    const time = Date.parse(this.timestamp);
    return Number.isNaN(time) ? Date.now() : time;
  });

  /** Refuses what no request can be made of as a run does, and notes every other request. */
  async send(request: TargetRequest): Promise<TargetResult> {
    const { target } = request;
    const source = this.sources.find(({ name, type }) => name === target && type === 'rest');
    if (target !== null && !source) return refused('unknown_destination', `'${target}' is no source of type rest of this config`);
    const config = source?.config ?? {};
    const url = target === null ? request.url : targetUrl(String(config.base_url), request.url);
    if (url === null || !URL.canParse(url))
      return refused('target_request_invalid', 'url: its path cannot stand below the base_url of the destination');
    this.notes.request(this.view(request, url, asObject(config.default_headers)));
    this.notes.flag({ stubbed_external_response: true });
    return this.answer(asObject(config.dry_run_response));
  }

  /** Headers of secret_headers and of the credential are added when it is sent: a dry run reads no secret. */
  private view({ target, method, headers, body }: TargetRequest, url: string, defaults: Record<string, unknown>) {
    // What a file holds is not shown, it may be megabytes long.
    const isFile = this.notes.action === 'export_file';
    const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const kept = Object.entries(defaults).filter(([name]) => !replaced.has(name.toLowerCase()));
    return {
      ...(isFile && { operation: 'send_file' }),
      ...(target !== null && { target }),
      method,
      url,
      headers: { ...Object.fromEntries(kept), ...headers },
      ...(body !== undefined && !isFile && { body }),
    };
  }

  private answer({ status: given, body, headers: named }: Record<string, unknown>): TargetResult {
    const status = typeof given === 'number' ? given : 200;
    const entries = Object.entries(asObject(named)).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    const headers = Object.fromEntries(entries.filter(([name]) => name !== 'set-cookie'));
    if (status >= 300) return targetFailure(status, headers, '', this.now());
    return { ok: true, value: { status, headers, body: body ?? null } };
  }
}

const refused = (code: 'unknown_destination' | 'target_request_invalid', message: string): TargetResult => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
});

function asObject(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
