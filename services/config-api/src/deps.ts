import type { ConfigReader, ConfigStore, CrmClient, EventBus, EventIndex, Keyring, KeyValue, Logger, RunStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from './auth/principal';
import type { SessionTokens } from './auth/session-token';

/** How one service stands, for the operator's overview. */
export interface ServiceStanding {
  name: string;
  version: string;
  uptime_seconds: number;
}

/** What the routes work with. */
export interface Deps {
  store: ConfigStore;
  reader: ConfigReader;
  keyring: Keyring;
  kv: KeyValue;
  crm: CrmClient;
  bus: EventBus;
  eventIndex: Pick<EventIndex, 'acceptedSince'>;
  runStore: Pick<RunStore, 'heldCounts'>;
  logger: Logger;
  tokens: SessionTokens;
  authenticate: Authenticate<Principal>;
  authenticateOperator: Authenticate<null>;
  /** Base of the links handed out, without a trailing slash. Asked late: the port may be known only after the start. */
  publicUrl(): string;
  services(): ServiceStanding[];
}
