import { createSimProcess, type SimProcess } from './sim-process';
import type { SimWorld } from './sim-world';

/** The runners of a world: the living ones, and those that were asked to stop. */
export interface SimFleet {
  startOne(): void;
  stopOne(process: SimProcess): void;
  /** Those that live and were not told to stop. */
  staying(): SimProcess[];
  /** The state of the living ones, for messages. */
  states(): string[];
}

export function createSimFleet(world: SimWorld): SimFleet {
  const processes: SimProcess[] = [];
  const leaving = new Set<SimProcess>();
  const living = (): SimProcess[] => processes.filter((process) => process.alive);
  return {
    startOne: () => {
      const process = createSimProcess(world, `runner-${processes.length + 1}`);
      processes.push(process);
      process.start().catch(world.failed);
    },
    stopOne: (process) => {
      leaving.add(process);
      process.stop().catch(world.failed);
    },
    staying: () => living().filter((process) => !leaving.has(process)),
    states: () => living().map((process) => {
      const words = [process.name, leaving.has(process) ? 'leaving' : '', process.trouble];
      return words.filter(Boolean).join(' ');
    }),
  };
}
