import type { BreakerStore, ConfigReader, ConfigStore, EventBus, RunStore, TaskStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { ServiceInstance } from '@sluice/service-parts';
import type { Mailer } from '../../mails/create-mailer';
import type { AccountTimes } from '../accounts/deps';
import type { Passwords } from '../accounts/passwords/passwords';

/** What the routes of the operator work with. */
export interface OperatorDeps {
  store: Pick<ConfigStore, 'accounts' | 'connectors' | 'mails' | 'organizations' | 'outbox' | 'sources'>;
  passwords: Passwords;
  mailer: Mailer;
  /** Whether a mail server is set: then the outbox is empty. */
  sendsMails: boolean;
  times: AccountTimes;
  bus: Pick<EventBus, 'lag' | 'oldestUnread'>;
  runStore: Pick<RunStore, 'heldCounts' | 'oldestHeld'>;
  tasks: Pick<TaskStore, 'overview' | 'wake'>;
  breakers: Pick<BreakerStore, 'counts' | 'force'>;
  configReader: Pick<ConfigReader, 'connector'>;
  /** SLUICE_BREAKER_HEALTHY_RESET in milliseconds. */
  breakerHealthyResetMs: number;
  /** SLUICE_WIDTH_LEAD in milliseconds. */
  widthLeadMs: number;
  /** Every running instance of every service. */
  serviceInstances(): Promise<ServiceInstance[]>;
  /** This instance: the only known one while the others are unknown. */
  myself(): ServiceInstance;
  authenticateOperator: Authenticate<null>;
}
