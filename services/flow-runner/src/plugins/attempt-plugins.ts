import type { UnitEffects } from '@sluice/crm-writer';
import type { ConfigDocument } from '@sluice/contracts';
import {
  type CallFailure, type CallLeases, type FunctionAnswer, type FunctionGrants, type FunctionPlatform, FunctionPlatformUnavailable,
  type GrantedSecret,
  noteOfRun, type PluginCall, type PluginCalls, type PluginResult, type PluginRunNote, type PluginRunStore, type PluginWrite,
} from '@sluice/ports';
import type { Targets } from '@sluice/rest-targets';
import { configIndexes } from './config-indexes';

/** What the plugins of all attempts share. */
export interface PluginDeps extends CallLeases {
  functions: Pick<FunctionPlatform, 'invoke'>;
  runs: Pick<PluginRunStore, 'values'>;
  notes: { add(note: PluginRunNote): void };
  targets: Pick<Targets, 'headersOf'>;
  /** While a plugin runs, its event does not count as active: CRM batches do not wait for it. */
  waiting<T>(work: Promise<T>): Promise<T>;
  /** Keys that one invocation may read, and write. */
  maxKeys: number;
  /** Bytes of a value as JSON. */
  maxValueBytes: number;
}

/** The attempt that plugins run for. */
export interface PluginRun {
  organizationId: string;
  connectorId: string;
  eventId: string;
  flowName: string;
  sourceName: string;
  config: ConfigDocument;
  effects: Pick<UnitEffects, 'pluginWrites'>;
  /** Whether this runner still owns the event's partition. */
  owned(): boolean;
}

/** How long an event waits when the platform cannot be reached. Milliseconds. */
const platformWaitMs = 5_000;

/**
 * The plugins of one attempt. What they write is read again by later steps of the attempt, and is stored with what the attempt
 * leads to: not at all when that is not stored.
 */
export class AttemptPlugins implements PluginCalls {
  constructor(
    private readonly deps: PluginDeps,
    private readonly run: PluginRun,
  ) {}

  async invoke({ coordinates, storeKeys, payload }: PluginCall): Promise<PluginResult> {
    const { function_arn: functionArn, version: qualifier, capabilities } = coordinates;
    const { connectorId, eventId, flowName, sourceName, config, organizationId } = this.run;
    const readsStore = capabilities.store?.includes('read') === true;
    if (readsStore && storeKeys.length > this.deps.maxKeys)
      return permanent('plugin_store_limit', `reads ${storeKeys.length} keys of its store, more than ${this.deps.maxKeys}`);
    const granted = await this.grantsOf(capabilities.auth);
    if (!granted.ok) return granted;
    const given = {
      schema_version: 1, connector_id: connectorId, flow_name: flowName, source_name: sourceName, ...payload,
      ...configIndexes(config), capabilities,
      ...(readsStore && { store: await this.storeOf(functionArn, storeKeys) }),
      ...(granted.auth && { auth: granted.auth }),
    };
    const grants: FunctionGrants = { hosts: capabilities.http ?? [], secrets: granted.secrets };
    const answer = await this.runFunction({ organizationId, functionArn, qualifier, payload: given, grants });
    const note = answer.kind === 'away' ? null : noteOfRun(coordinates, { connectorId, eventId }, answer);
    if (note) this.deps.notes.add(note);
    return resultOf(answer);
  }

  store(writes: readonly PluginWrite[]): string | null {
    const { maxKeys, maxValueBytes } = this.deps;
    if (writes.length > maxKeys) return `store_writes has ${writes.length} keys, more than ${maxKeys}`;
    const large = writes.find(({ value }) => Buffer.byteLength(JSON.stringify(value) ?? '') > maxValueBytes);
    if (large) return `the value of '${large.key.slice(0, 64)}' in store_writes is longer than ${maxValueBytes} bytes`;
    this.run.effects.pluginWrites.push(...writes);
    return null;
  }

  /** Key to value, null where there is none. */
  private async storeOf(functionArn: string, keys: readonly string[]): Promise<Record<string, unknown>> {
    const { connectorId, effects } = this.run;
    const stored = keys.length === 0 ? new Map() : await this.deps.waiting(this.deps.runs.values(connectorId, functionArn, keys));
    for (const write of effects.pluginWrites) if (write.functionArn === functionArn) stored.set(write.key, write.value);
    return Object.fromEntries(keys.map((key) => [key, stored.get(key) ?? null]));
  }

  private async grantsOf(names: readonly string[] | undefined): Promise<Granted | CallFailure> {
    if (names === undefined || names.length === 0) return { ok: true, auth: null, secrets: [] };
    const { organizationId, connectorId, config: { sources } } = this.run;
    const auth: Record<string, Record<string, string>> = {};
    const secrets: GrantedSecret[] = [];
    for (const name of names) {
      const found = await this.deps.targets.headersOf({ organizationId, connectorId, sources }, name);
      if (!found.ok) return found;
      const { headers, origin } = found;
      auth[name] = headers;
      if (origin !== null) secrets.push(...found.secrets.map((value) => ({ value, origin })));
    }
    return { ok: true, auth, secrets };
  }

  private async runFunction(call: Parameters<FunctionPlatform['invoke']>[0]): Promise<FunctionAnswer | { kind: 'away' }> {
    let ended: (() => void) | undefined;
    const mayCall = async (timeoutMs: number): Promise<boolean> => {
      const may = (await this.deps.insideLease(timeoutMs)) && this.run.owned();
      if (may) ended ??= this.deps.callStarted?.();
      return may;
    };
    try {
      return await this.deps.waiting(this.deps.functions.invoke({ ...call, mayCall }));
    } catch (error) {
      if (error instanceof FunctionPlatformUnavailable) return { kind: 'away' };
      throw error;
    } finally {
      ended?.();
    }
  }
}

interface Granted {
  ok: true;
  /** null: nothing was granted. */
  auth: Record<string, Record<string, string>> | null;
  secrets: readonly GrantedSecret[];
}

const permanent = (code: CallFailure['code'], message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

function resultOf(answer: FunctionAnswer | { kind: 'away' }): PluginResult {
  switch (answer.kind) {
    case 'returned':
      return { ok: true, value: answer.value };
    case 'threw':
      return permanent('plugin_threw', answer.message);
    case 'limit':
      return permanent('plugin_limit', answer.message);
    case 'missing':
      return permanent('plugin_missing', 'the function of the plugin does not exist any more');
    case 'interrupted':
      return { ok: false, kind: 'transient', code: 'plugin_interrupted', message: answer.message };
    case 'busy': {
      const { retryAfterMs } = answer;
      return { ok: false, kind: 'transient', code: 'plugin_busy', message: 'too many plugins run at the moment', retryAfterMs };
    }
    case 'away':
      return {
        ok: false, kind: 'transient', code: 'plugin_unavailable', message: 'the function platform cannot be reached',
        retryAfterMs: platformWaitMs,
      };
  }
}
