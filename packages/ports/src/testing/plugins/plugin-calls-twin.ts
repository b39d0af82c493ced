import type { PluginCall, PluginCalls, PluginResult } from '../../plugins/plugin-calls';
import type { PluginWrite } from '../../plugins/plugin-run-store';

/** Twin of PluginCalls: keeps what it is asked for and answers what it was told, else an empty object. */
export class PluginCallsTwin implements PluginCalls {
  readonly calls: PluginCall[] = [];
  readonly writes: PluginWrite[] = [];
  private readonly answers: PluginResult[];

  /** @param values what plugins return, in the order of the calls */
  constructor(values: readonly unknown[] = [], private readonly maxWrites = 100) {
    this.answers = values.map((value) => ({ ok: true, value }));
  }

  /** The next call fails. */
  failNext(failure: Omit<Exclude<PluginResult, { ok: true }>, 'ok'>): void {
    this.answers.push({ ok: false, ...failure });
  }

  async invoke(call: PluginCall): Promise<PluginResult> {
    this.calls.push(call);
    return this.answers.shift() ?? { ok: true, value: {} };
  }

  store(writes: readonly PluginWrite[]): string | null {
    if (writes.length > this.maxWrites) return `writes ${writes.length} keys, more than ${this.maxWrites}`;
    this.writes.push(...writes);
    return null;
  }
}
