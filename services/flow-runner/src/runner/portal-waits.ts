import type { KeyLanes } from '@sluice/key-lanes';
import type { Unit } from '../units/unit';

export interface PortalWaitsDeps {
  lanes: Pick<KeyLanes<Unit>, 'blockGroup' | 'unblockGroup'>;
  sleep(ms: number): Promise<void>;
  pump(): void;
}

/** Connectors whose portal allows calls again so soon that their events wait in memory. */
export class PortalWaits {
  private readonly waiting = new Set<string>();

  constructor(private readonly deps: PortalWaitsDeps) {}

  /**
   * One wait for all units of a connector: with a wait for each unit, each end of a wait would take all of them from the lanes
   * again.
   */
  wait(connectorId: string, waitMs: number): void {
    if (this.waiting.has(connectorId)) return;
    this.waiting.add(connectorId);
    this.deps.lanes.blockGroup(connectorId);
    void this.deps.sleep(waitMs).then(() => {
      this.waiting.delete(connectorId);
      this.deps.lanes.unblockGroup(connectorId);
      this.deps.pump();
    });
  }
}
