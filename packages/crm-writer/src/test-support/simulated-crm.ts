import { createCrmHttpClient } from '@sluice/crm-http';
import { createCrmSimulator, type CrmSimulator } from '@sluice/crm-simulator';

/** The CRM simulator, and the product's client of it over HTTP. */
export interface SimulatedCrm {
  simulator: CrmSimulator;
  url: string;
  client: ReturnType<typeof createCrmHttpClient>;
  close(): Promise<void>;
}

export async function startSimulatedCrm(): Promise<SimulatedCrm> {
  const simulator = createCrmSimulator();
  const { url } = await simulator.start(0);
  const client = createCrmHttpClient({ baseUrl: url, clientId: 'app', clientSecret: 'the-client-secret' });
  const close = async (): Promise<void> => {
    await client.close();
    await simulator.stop();
  };
  return { simulator, url, client, close };
}
