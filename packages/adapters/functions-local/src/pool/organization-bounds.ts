import { ComputeGate } from './compute-gate';
import type { GuestChild } from './guest-child';
import { loopLoad } from './loop-load';
import { OthersAtWork } from './others-at-work';
import { PriorityWatch } from './priority-watch';
import { TrafficGate } from './traffic-gate';

export interface OrganizationBoundsOptions {
  /** Bytes that the functions of one organization may exchange with a busy service a second. */
  bytesPerSecond: number;
  /** Milliseconds a second that they may compute while it is busy and runs functions of others too. */
  computeMsPerSecond: number;
  /** Children of one organization. */
  maxPerOrganization: number;
  /** Whether the event loop of the service has much to do. Default: it was in use for three tenths of the time. */
  isLoopBusy?(): boolean;
}

/** So long after its event loop was busy the service counts as busy, milliseconds: it may only have waited for a new child. */
const staysBusyMs = 3_000;

/** What the functions of one organization may take from all that others run while the service is busy. */
export class OrganizationBounds {
  private readonly others = new OthersAtWork();
  private readonly isLoopBusy: () => boolean;
  private readonly traffic: TrafficGate;
  private readonly compute: ComputeGate;
  private readonly priorities: PriorityWatch;
  private busyAt = -Infinity;

  /** @param resume called when an organization that had to wait may go on */
  constructor(
    private readonly options: OrganizationBoundsOptions, resume: () => void, private readonly now = () => performance.now(),
  ) {
    const isLoopBusy = (this.isLoopBusy = options.isLoopBusy ?? loopLoad());
    this.traffic = new TrafficGate({ perSecond: options.bytesPerSecond, isBusy: isLoopBusy, resume });
    const isBusy = (organizationId: string): boolean => this.isTight(organizationId);
    this.compute = new ComputeGate({ perSecond: options.computeMsPerSecond, isBusy, resume });
    this.priorities = new PriorityWatch((organizationId, ms) => this.compute.computed(organizationId, ms));
  }

  /** Work of the organization has come in, and has ended. */
  began(organizationId: string): void {
    this.others.began(organizationId);
  }

  ended(organizationId: string): void {
    this.others.ended(organizationId);
  }

  /** An invocation in the child has exchanged so many bytes. */
  moved({ organizationId }: GuestChild, bytes: number): void {
    if (organizationId !== null) this.traffic.moved(organizationId, bytes);
  }

  /** A child was given to an organization. */
  assigned(child: GuestChild): void {
    this.priorities.assigned(child);
  }

  /** Looks at what children have computed. About twice a second. */
  look(children: Iterable<GuestChild>): void {
    this.noteLoop();
    this.priorities.look(children);
  }

  /** Whether the organization may not begin an invocation now. */
  mustWait(organizationId: string): boolean {
    return this.traffic.mustWait(organizationId) || this.compute.mustWait(organizationId);
  }

  /**
   * Whether an organization with these children, one of which has work, begins nothing further before that has ended: it has
   * used up its rate of computing, or seems to compute now. What is under way cannot be taken back.
   */
  goesOneByOne(organizationId: string, children: readonly GuestChild[]): boolean {
    const computes = this.compute.isAhead(organizationId)
      || children.some(({ isSilent, priority }) => isSilent && priority.computes());
    return computes && children.some(({ claims }) => claims > 0) && this.isTight(organizationId);
  }

  /** Whether the service is busy and runs functions of others. Whoever is alone takes processors only from its own flows. */
  private isTight(organizationId: string): boolean {
    this.noteLoop();
    return this.now() - this.busyAt <= staysBusyMs && this.others.than(organizationId);
  }

  private noteLoop(): void {
    if (this.isLoopBusy()) this.busyAt = this.now();
  }

  /** Whose functions compute much has one process while the service is busy: a further one would take time from all others. */
  placesOf(organizationId: string): number {
    return this.priorities.isBusy(organizationId) && this.isLoopBusy() ? 1 : this.options.maxPerOrganization;
  }

  close(): void {
    this.traffic.close();
    this.compute.close();
  }
}
