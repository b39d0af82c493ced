import { BlobStoreUnavailable } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';

/** Asks the store of packages. @throws HttpError 503 `data_export_unavailable` while it cannot be reached */
export async function askPackageStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BlobStoreUnavailable) throw apiError('data_export_unavailable', {}, { 'Retry-After': '10' });
    throw error;
  }
}
