import type { ConfigReader, ConfigStore, CrmClient, EventBus, EventIndex, Keyring, KeyValue, Logger, RunStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { LimitStore, ServiceInstance } from '@sluice/service-parts';
import type { Passwords } from './auth/passwords';
import type { RefreshTokens } from './auth/refresh-tokens';
import type { Principal } from './auth/principal';
import type { SessionTokens } from './auth/session-token';
import type { ConfigChecker } from './check/create-config-checker';
import type { OpenPortal } from './provisioning/open-portal';
import type { CreationLimit } from './plan/create-creation-limit';

/** What the routes work with. */
export interface Deps {
  store: ConfigStore;
  reader: ConfigReader;
  keyring: Keyring;
  kv: KeyValue;
  crm: CrmClient;
  openPortal: OpenPortal;
  bus: EventBus;
  eventIndex: Pick<EventIndex, 'acceptedSince'>;
  runStore: Pick<RunStore, 'heldCounts' | 'oldestHeld'>;
  /** What limits are counted in. */
  limits: LimitStore;
  creationLimit: CreationLimit;
  passwords: Passwords;
  logger: Logger;
  tokens: SessionTokens;
  configChecker: ConfigChecker;
  /** Whether URLs that are stored may lead to private and loopback addresses. */
  privateTargets: 'allowed' | 'refused';
  refreshTokens: RefreshTokens;
  authenticate: Authenticate<Principal>;
  authenticateOperator: Authenticate<null>;
  /** Base of the links handed out, without a trailing slash. Asked late: the port may be known only after the start. */
  publicUrl(): string;
  /** Every running instance of every service. */
  standings(): Promise<ServiceInstance[]>;
  /** This instance: all that is known of the services while the others cannot be asked. */
  myself(): ServiceInstance;
}
