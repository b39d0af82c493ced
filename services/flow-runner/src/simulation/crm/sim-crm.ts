import type { CrmClient } from '@sluice/ports';
import type { CrmLog } from '../crm-log';
import type { Prng } from '../time/prng';
import type { Scenario } from '../worlds/scenario';
import { type CrmCaller, SimCrmCalls } from './sim-crm-calls';
import { simCrmClient } from './sim-crm-client';
import { SimCrmRecords, type SimRecord } from './sim-crm-records';
import type { Clock } from '../time/virtual-time';

/** The simulated CRM: slow, failing, with a search index that lags, and a log of its writes. */
export interface SimCrm {
  readonly log: CrmLog;
  /** Records of a type in a portal. */
  records(portal: string, objectType: string): SimRecord[];
  /** Another client deletes a record in the CRM. */
  remove(portal: string, objectType: string, id: string): void;
  /** A portal answers every call with 500 until then. */
  outage(portal: string, until: number): void;
  /** From now on nothing fails. */
  calm(): void;
  /** The CRM for one process. After the process has died its calls still take effect, but no answer is delivered. */
  clientFor(caller: CrmCaller): CrmClient;
}

export function createSimCrm(
  clock: Clock, prng: Prng, scenario: Pick<Scenario, 'crmFaults' | 'crmFates' | 'crowd' | 'refusals'>,
): SimCrm {
  const records = new SimCrmRecords(clock, prng);
  const calls = new SimCrmCalls(clock, prng, records, scenario);
  return {
    log: records.log,
    records: (portalId, objectType) => [...records.table({ portalId }, objectType).values()],
    remove: (portalId, objectType, id) => records.remove(portalId, objectType, id),
    outage: (portal, until) => calls.outage(portal, until),
    calm: () => {
      calls.quiet = true;
    },
    clientFor: (caller) => simCrmClient({ clock, prng, records, calls }, caller),
  };
}
