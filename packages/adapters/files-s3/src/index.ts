export { createS3Files } from './s3-files';
export type { S3FilesOptions } from './s3-calls';
