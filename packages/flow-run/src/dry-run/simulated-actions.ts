import { compileFields, describedAction, type ActionPorts } from '@sluice/actions';
import type { EntityLookup, FlowContext, Outcome, StepCompiler } from '@sluice/flow-engine';
import { done } from '@sluice/flow-engine';
import type { DryRunNotes } from './dry-run-notes';
import { simulateDelete } from './simulate-delete';
import { simulateNotify, simulatePost } from './simulate-post';
import type { StubDestinations } from './stub-destinations';
import type { StubRecords } from './stub-records';

/** What a simulated step sees: its resolved fields and the stubs. */
export interface Simulated {
  fields: Readonly<Record<string, unknown>>;
  entities: EntityLookup;
  ctx: FlowContext;
  flowName: string;
  notes: DryRunNotes;
  records: StubRecords;
  destinations: StubDestinations;
}

export type Simulate = (step: Simulated) => Outcome;

/** Stands in for actions that this version cannot run: what they would send is shown all the same. */
const simulations: Readonly<Record<string, Simulate>> = {
  delete: simulateDelete,
  notify: simulateNotify,
  plugin: ({ notes }) => notExecuted(notes, 'a dry run never invokes a plugin'),
  post: simulatePost,
};

/** Whether a dry run stands in for the action instead of running it. */
export const isSimulated = (name: string): boolean => Object.hasOwn(simulations, name);

/** An action for a dry run: its simulation, or a step that is not executed. */
export function simulatedAction(name: string, stubs: Omit<Simulated, 'fields' | 'entities' | 'ctx'>): StepCompiler<ActionPorts> {
  const schema = describedAction(name)?.configSchema ?? { type: 'object', properties: {} };
  const simulate = simulations[name];
  return {
    compile: (step) => {
      const fields = compileFields(schema, step);
      const unknown = `this version of the service cannot run the action '${name}'`;
      return {
        effect: ['create', 'delete'].includes(name) ? 'write' : 'control',
        touches: () => null,
        run: async ({ ctx, entities }) =>
          simulate ? simulate({ ...stubs, fields: fields.resolve(ctx), entities, ctx }) : notExecuted(stubs.notes, unknown),
      };
    },
  };
}

function notExecuted(notes: DryRunNotes, reason: string): Outcome {
  notes.flag({ not_executed: true, not_executed_reason: reason });
  return done({});
}
