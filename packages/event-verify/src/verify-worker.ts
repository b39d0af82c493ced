import { defineWorker, type RunContext, type Worker } from '@sluice/background';
import type { ConnectorReader, ServiceRequestStore } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import type { Refusal, VerifyAnswer, VerifyRequest } from './verify-request';
import { verifyKind } from './verify-request';
import type { VerifyUnits } from './verify-units';

export interface VerifyWorkerDeps {
  requests: Pick<ServiceRequestStore, 'open' | 'answer'>;
  connectors: Pick<ConnectorReader, 'connector'>;
  verifyUnits: VerifyUnits;
  /** Events that one process verifies at the same time. */
  places: number;
}

const leaseMs = 30_000;
const againAfterMs = [250, 1_000];
const attempts = 3;
/** Events of one organization that one process verifies at the same time. */
const placesPerTenant = 2;

/**
 * Answers the requests of services that may not read the CRM. It may run twice: verifying changes nothing, and the first answer
 * counts.
 */
export function verifyWorker({ requests, connectors, verifyUnits, places }: VerifyWorkerDeps): Worker {
  const answered = async (key: string, answer: VerifyAnswer): Promise<void> => void (await requests.answer(key, answer));
  const answerTo = async ({ connectorId, units }: VerifyRequest): Promise<VerifyAnswer> => {
    const connector = await connectors.connector(connectorId);
    if (!connector) return { refused: refusalOf(apiError('Not Found')) };
    try {
      return { entities: await verifyUnits(connector, units) };
    } catch (error) {
      if (error instanceof HttpError) return { refused: refusalOf(error) };
      throw error;
    }
  };
  return defineWorker({
    name: verifyKind, schedule: { waits: againAfterMs, attempts }, leaseMs,
    places, placesPerTenant: Math.min(places, placesPerTenant),
    run: async ({ key }: RunContext) => {
      const request = await requests.open(key);
      if (request) await answered(key, await answerTo(request.body as VerifyRequest));
    },
    gaveUp: ({ key }) => answered(key, { refused: refusalOf(apiError('service_unavailable', {}, { 'Retry-After': '5' })) }),
  });
}

const refusalOf = ({ status, detail, headers }: HttpError): Refusal => ({ status, detail, headers });
