import type { ActionPorts } from '@sluice/actions';
import { done, type StepCompiler } from '@sluice/flow-engine';
import type { DryRunNotes } from './dry-run-notes';

/** Stands in for an action that no dry run runs: its step is not executed, and the run goes on. */
export function notExecuted(name: string, notes: DryRunNotes): StepCompiler<ActionPorts> {
  const unknown = `this version of the service cannot run the action '${name}'`;
  const reason = name === 'plugin' ? 'a dry run never invokes a plugin' : unknown;
  return {
    compile: () => ({
      effect: 'control',
      touches: () => null,
      run: async () => {
        notes.flag({ not_executed: true, not_executed_reason: reason });
        return done({});
      },
    }),
  };
}
