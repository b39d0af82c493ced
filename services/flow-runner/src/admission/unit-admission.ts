import type { ConnectorDirectory } from '@sluice/connector-feed';
import { type PortalAdmission, type PortalGates } from '@sluice/crm-writer';
import { freeAdmission } from '@sluice/gates';
import type { HeldScope } from '../held/held-scope';
import { flowNameOf, type Unit } from '../units/unit';
import type { FlowBreakers } from './flow-breakers';
import { requiredPortal } from './required-portal';
import type { StartBlock } from './start-block';
import { endsWithConnector, type StartMoment, type StartRule, startRules, type StartRulesDeps } from './start-rules';

export interface UnitAdmissionDeps extends StartRulesDeps {
  directory: Pick<ConnectorDirectory, 'get'>;
  flowBreakers: Pick<FlowBreakers, 'refusal' | 'claim'>;
  gates: Pick<PortalGates, 'admit' | 'closed'>;
}

/** A unit that may start has an admission to its portal, which must be ended. */
export type StartAnswer = { block: StartBlock } | { block: null; admission: PortalAdmission };

/** Decides whether a unit of one topic may start now: the first of `startRules` that blocks it says why not. */
export class UnitAdmission {
  private readonly rules: Record<StartMoment, readonly StartRule[]>;

  constructor(private readonly deps: UnitAdmissionDeps) {
    const all = startRules(deps);
    const at = (moment: StartMoment): StartRule[] => all.filter(({ moments }) => moments.includes(moment));
    this.rules = { log: at('log'), held: at('held'), planned: at('planned') };
  }

  /** Whether the next unit of a lane from the log may start. */
  admit(unit: Unit): StartAnswer {
    const admission = this.deps.gates.admit(requiredPortal(this.deps.directory.get(unit.envelope.connector_id)));
    const block = this.first('log', unit, null, admission);
    return block ? { block } : { block: null, admission };
  }

  /** Why a unit of a held scope may not start. The room at its portal is shared by all units of its scope, which counts it. */
  blockHeld(moment: 'held' | 'planned', unit: Unit, from: HeldScope): StartBlock | null {
    return this.first(moment, unit, from, freeAdmission);
  }

  /** Whether a held unit that nothing blocks may start: the breaker of its flow is closed, or it is the recovery attempt. */
  async claim(unit: Unit): Promise<boolean> {
    if (endsWithConnector(this.deps.directory, unit)) return true;
    return this.deps.flowBreakers.claim(unit, flowNameOf(unit));
  }

  private first(moment: StartMoment, unit: Unit, from: HeldScope | null, admission: PortalAdmission): StartBlock | null {
    const starting = { unit, from, admission };
    for (const rule of this.rules[moment]) {
      const block = rule.block(starting);
      if (block) return block;
    }
    return null;
  }
}
