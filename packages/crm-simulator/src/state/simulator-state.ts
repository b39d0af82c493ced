import { deserialize, serialize } from 'node:v8';
import { Journal, type JournalDump } from './journal';
import { allScopes } from '../model/scopes';
import { AccessTokens } from './access-tokens';
import { CallLog } from './call-log';
import { Faults } from './faults';
import type { PortalSettings } from './portal-settings';
import { type PortalDump, PortalState } from './portal-state';
import { PortalStats } from './portal-stats';

/** How a simulator can be set up; all of it survives a reset. */
export interface SimulatorOptions {
  /** Epoch ms; the system clock unless given. */
  readonly now?: () => number;
  /** For faults with a probability; Math.random unless given. */
  readonly random?: () => number;
  /** The one accepted app; unset accepts any pair. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Whether contacts may have custom unique properties (portals differ); on unless false. */
  readonly uniqueContactProperties?: boolean;
}

/** The portal that always exists after a reset. */
export const defaultPortalId = 1_000_001;

export const defaultSettings: PortalSettings = { scopes: allScopes, searchLagMs: 0, latencyMs: 0, tokenTtlS: 1_800 };

/** Changes when older snapshots cannot be read any more. */
const dumpFormat = 1;

interface SimulatorDump {
  readonly format: number;
  readonly portals: readonly PortalDump[];
  readonly tokens: ReturnType<AccessTokens['dump']>;
  readonly journal: JournalDump;
}

/** Everything one simulator knows. `reset` puts it back to the start. */
export class SimulatorState {
  readonly now: () => number;
  portals = new Map<number, PortalState>();
  tokens = new AccessTokens();
  calls = new CallLog();
  faults: Faults;
  journal: Journal;
  /** Calls that belong to no portal: token requests, journal, unknown tokens. */
  unowned = new PortalStats();

  constructor(readonly options: SimulatorOptions = {}) {
    this.now = options.now ?? Date.now;
    this.faults = new Faults(options.random ?? Math.random);
    this.journal = new Journal(this.now);
    this.reset();
  }

  reset(): void {
    this.portals = new Map();
    this.tokens = new AccessTokens();
    this.calls = new CallLog();
    this.faults = new Faults(this.options.random ?? Math.random);
    this.journal = new Journal(this.now);
    this.unowned = new PortalStats();
    this.addPortal(defaultPortalId, defaultSettings);
  }

  /**
   * Records, definitions, portals, tokens and the journal in a form that `restore` takes back. Calls, counters and
   * faults are not part of it. Synchronous: no call is half in it.
   */
  snapshot(): Buffer {
    const dump: SimulatorDump = {
      format: dumpFormat,
      portals: [...this.portals.values()].map((portal) => portal.dump()),
      tokens: this.tokens.dump(),
      journal: this.journal.dump(),
    };
    return serialize(dump);
  }

  /** Becomes what a snapshot holds, in place of everything known. Throws when it is not a snapshot of this format. */
  restore(snapshot: Buffer): void {
    const dump = deserialize(snapshot) as SimulatorDump;
    if (dump?.format !== dumpFormat) throw new Error('not a snapshot that this version of the CRM simulator can read');
    this.reset();
    this.portals.clear();
    for (const portal of dump.portals) this.addPortal(portal.portalId, portal.settings).portal.load(portal);
    this.tokens.load(dump.tokens);
    this.journal.load(dump.journal);
  }

  /** A new, empty portal with its fixed tokens. */
  addPortal(portalId: number, settings: PortalSettings): { portal: PortalState; accessToken: string; refreshToken: string } {
    const portal = new PortalState(portalId, settings, this.now, (source, event) => {
      if (this.journal.subscriptions.size === 0) return;
      const record =
        event.kind === 'object'
          ? source.space(source.typeById(event.objectTypeId)!).store.records.get(event.objectId)
          : undefined;
      this.journal.record(source.portalId, event, record?.properties ?? {});
    });
    this.portals.set(portalId, portal);
    this.journal.recordLifecycle(portalId, 'APP_INSTALL');
    return { portal, ...this.tokens.addPortal(portalId) };
  }

  /** A portal id nobody uses yet. */
  freePortalId(): number {
    let id = defaultPortalId + 1;
    while (this.portals.has(id)) id += 1;
    return id;
  }
}
