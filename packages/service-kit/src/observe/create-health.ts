/** The result of a check. `reason`: the error or the state. It is public, so it must not contain secrets. */
export interface CheckResult {
  ok: boolean;
  reason?: string;
}
export type Check = () => CheckResult | Promise<CheckResult>;

export interface HealthReport {
  status: 'ok' | 'failing';
  checks: Record<string, CheckResult>;
}

/** Readiness and liveness of a service, made of named checks. */
export interface Health {
  /** A part that must work for this service to do its work. A consumer that makes no progress is not ready. */
  add(name: string, check: Check): void;
  /** A part whose failure only a restart can cure. */
  addLiveness(name: string, check: Check): void;
  /** Not ready from now on: the first step of a stop. */
  drain(): void;
  /** All checks of another service under `<name>.`, for several services in one process. */
  include(name: string, other: Health): void;
  ready(): Promise<HealthReport>;
  live(): Promise<HealthReport>;
}

/** Creates health without checks: alive and ready. A check that throws or takes over `timeoutMs` (default 2 s) fails. */
export function createHealth({ timeoutMs = 2_000 }: { timeoutMs?: number } = {}): Health {
  const checks = new Map<string, Check>();
  const livenessChecks = new Map<string, Check>();
  const included = new Map<string, Health>();
  let draining = false;
  const report = async (own: Map<string, Check>, theirs: (other: Health) => Promise<HealthReport>): Promise<HealthReport> => {
    const results = await Promise.all([...own].map(async ([name, check]) => [[name, await outcome(check, timeoutMs)] as const]));
    const others = await Promise.all([...included].map(async ([name, other]) => prefixed(name, await theirs(other))));
    return summary([...results, ...others].flat());
  };
  return {
    add: (name, check) => void checks.set(name, check),
    addLiveness: (name, check) => void livenessChecks.set(name, check),
    drain: () => void (draining = true),
    include: (name, other) => void included.set(name, other),
    ready: async () => {
      if (draining) return summary([['lifecycle', { ok: false, reason: 'stopping' }]]);
      return report(checks, (other) => other.ready());
    },
    live: () => report(livenessChecks, (other) => other.live()),
  };
}

type NamedResult = readonly [string, CheckResult];

function summary(results: readonly NamedResult[]): HealthReport {
  return { status: results.every(([, { ok }]) => ok) ? 'ok' : 'failing', checks: Object.fromEntries(results) };
}

function prefixed(name: string, report: HealthReport): NamedResult[] {
  return Object.entries(report.checks).map(([check, result]) => [`${name}.${check}`, result] as const);
}

async function outcome(check: Check, timeoutMs: number): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: `no answer within ${timeoutMs} ms` }), timeoutMs);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
