export { createS3BlobStore, type S3BlobStoreOptions } from './create-s3-blob-store';
