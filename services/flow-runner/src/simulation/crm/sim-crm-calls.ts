import type { CallFailure, CrmResult } from '@sluice/ports';
import { type Connected, never } from '../connected';
import type { CallFault, LandedWrite, Subject } from '../crm-log';
import type { Prng } from '../time/prng';
import type { Crowd, Scenario } from '../worlds/scenario';
import type { SimCrmRecords } from './sim-crm-records';
import { simPortals } from '../sim-connectors';
import type { Clock } from '../time/virtual-time';

/** The process that calls. */
export type CrmCaller = Pick<Connected, 'name' | 'alive' | 'awake' | 'cutOff' | 'slowCalls'>;

const [crowdedPortal] = simPortals;

type Fate = 'well' | CallFault;

/** How long a call waits for its answer. */
export const crmTimeoutMs = 3_500;

/** The latest time after sending at which a call takes effect, with or without an answer. */
export const crmLateWriteMs = 5_000;

export const failed = (
  kind: CallFailure['kind'],
  code: CallFailure['code'],
  status: number,
  retryAfterMs?: number,
): CrmResult<never> => ({
  ok: false,
  ...{ kind, code, status, message: `the simulated CRM: ${code}` },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const lost = (): CrmResult<never> => failed('transient', 'crm_unreachable', 0);

/** The transport of calls to the simulated CRM: slow, failing, taking effect late. */
export class SimCrmCalls {
  private readonly downUntil = new Map<string, number>();
  /** Nothing fails any more. */
  quiet = false;

  constructor(
    private readonly clock: Clock,
    private readonly prng: Prng,
    private readonly records: SimCrmRecords,
    private readonly scenario: Pick<Scenario, 'crmFaults' | 'crmFates' | 'crowd' | 'refusals'>,
  ) {}

  /** Whether the values of an input are refused, for as long as there is trouble. */
  refusesValues(): boolean {
    return !this.quiet && this.scenario.refusals > 0 && this.prng.chance(this.scenario.refusals);
  }

  outage(portal: string, until: number): void {
    this.downUntil.set(portal, until);
  }

  /** @param portal null: the call is one of all portals */
  async call<T>(caller: CrmCaller, portal: string | null, about: Subject, work: () => CrmResult<T>): Promise<CrmResult<T>> {
    if (!caller.alive()) return never();
    const { clock, records } = this;
    if (portal === crowdedPortal && this.crowded === 'hangs') return this.hang(caller, about);
    const sentAt = clock.now();
    const fate = this.rollFate(portal);
    const landed: LandedWrite[] = [];
    const land = (): CrmResult<T> => {
      const first = records.log.writes.length;
      const answer = work();
      const marks = { sentAt, late: fate === 'late', by: caller.name };
      for (const write of records.log.writes.slice(first)) landed.push(Object.assign(write, marks));
      return answer;
    };
    await this.travel(caller, portal);
    const firstFault = records.log.faults.length;
    if (fate !== 'well') records.fault(fate, about);
    const answer = this.answer(fate, land);
    const faults = records.log.faults.slice(firstFault);
    await this.travel(caller, portal);
    if (fate === 'late') void this.landLate(caller, sentAt, land);
    await caller.awake();
    if (!caller.alive()) {
      records.fault('died', about);
      return never();
    }
    for (const one of faults) one.heardAt = clock.now();
    if (fate === 'well') for (const write of landed) write.heardAt = clock.now();
    return answer;
  }

  private answer<T>(fate: Fate, land: () => CrmResult<T>): CrmResult<T> {
    switch (fate) {
      case 'well':
        return land();
      case 'late':
        return lost();
      case 'before':
        return failed('transient', 'crm_unavailable', 500);
      case 'after':
        land();
        return lost();
      case 'limited':
        return failed('transient', 'crm_rate_limited', 429, 100 + this.prng.int(4_000));
      case 'unauthorized':
        return failed('fatal', 'crm_unauthorized', 401);
      case 'forbidden':
        return failed('fatal', 'crm_forbidden', 403);
    }
  }

  /** What becomes of a call to the portal of the connector that crowds. */
  private get crowded(): Crowd['portal'] {
    return this.quiet ? 'well' : (this.scenario.crowd?.portal ?? 'well');
  }

  private async hang(caller: CrmCaller, about: Subject): Promise<CrmResult<never>> {
    await this.clock.sleep(crmTimeoutMs);
    if (!caller.alive()) return never();
    this.records.fault('hung', about).heardAt = this.clock.now();
    return lost();
  }

  /** One direction of a call: request or answer. */
  private travel({ slowCalls }: CrmCaller, portal: string | null): Promise<void> {
    // The crowd has to end some time.
    if (this.quiet && this.scenario.crowd) return this.clock.sleep(1);
    if (slowCalls || (portal === crowdedPortal && this.crowded === 'slow')) return this.clock.sleep(800 + this.prng.int(800));
    return this.clock.sleep(1 + this.prng.int(this.prng.chance(0.1) ? 1_500 : 60));
  }

  private rollFate(portal: string | null): Fate {
    if (this.quiet) return 'well';
    if (portal !== null && (this.downUntil.get(portal) ?? 0) > this.clock.now()) return 'before';
    return this.prng.chance(this.scenario.crmFaults) ? this.prng.pick(this.scenario.crmFates) : 'well';
  }

  /**
   * A call that takes effect after its sender gave up; at once when the sender is disturbed, because then the order is not
   * promised.
   */
  private async landLate({ alive, awake, cutOff }: CrmCaller, sentAt: number, land: () => unknown): Promise<void> {
    const { clock } = this;
    const due = Math.max(clock.now(), sentAt + this.prng.int(crmLateWriteMs));
    while (clock.now() < due && alive() && !awake() && !cutOff()) await clock.sleep(Math.min(100, due - clock.now()));
    land();
  }
}
