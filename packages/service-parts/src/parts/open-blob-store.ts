import { join } from 'node:path';
import { createFolderBlobStore } from '@sluice/blob-folder';
import { createS3BlobStore } from '@sluice/blob-s3';
import type { BlobStore } from '@sluice/ports';
import type { StoreSettings } from './parts-settings';

type BlobSettings = Pick<
  StoreSettings,
  | 'dataDir'
  | 'blobTimeoutMs'
  | 's3Bucket'
  | 's3Endpoint'
  | 'awsRegion'
  | 'awsAccessKeyId'
  | 'awsSecretAccessKey'
  | 'awsSessionToken'
>;

/** Where large payloads and exported files are kept: the bucket that the settings name, else a folder of the data folder. */
export function openBlobStore(settings: BlobSettings): BlobStore {
  const {
    blobTimeoutMs: timeoutMs,
    s3Bucket: bucket,
    awsAccessKeyId: accessKeyId,
    awsSecretAccessKey: secretAccessKey,
  } = settings;
  if (bucket === null) return createFolderBlobStore(join(settings.dataDir, 'blobs'), { timeoutMs });
  const session = settings.awsSessionToken === null ? {} : { sessionToken: settings.awsSessionToken };
  return createS3BlobStore({
    bucket,
    timeoutMs,
    endpoint: settings.s3Endpoint,
    region: settings.awsRegion,
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey, ...session },
  });
}
