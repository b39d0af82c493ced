import { createCrmSimulator } from '@sluice/crm-simulator';
import { serveParent } from '../child';

/** The CRM stand-in in a process of its own. */
const simulator = createCrmSimulator();
const calls = {
  start: async (_: null): Promise<{ url: string }> => ({ url: (await simulator.start(0)).url }),
};
export type CrmProcessCalls = typeof calls;
serveParent(calls);
