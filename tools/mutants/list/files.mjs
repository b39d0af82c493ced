const s3 = 'packages/adapters/blob-s3/src';
const s3Suite = { project: 'integration', pattern: 'blob-s3/src/s3-blob-store' };

export default [
  // The S3 blob store
  {
    name: 'blob-s3: what is put in the second of the bound is deleted', file: `${s3}/delete-older-objects.ts`,
    find: 'LastModified.getTime() + clockStepMs <= before.getTime()', replace: 'true', notice: s3Suite,
  },
  {
    name: 'blob-s3: the first page of old objects is the last', file: `${s3}/delete-older-objects.ts`,
    find: 'from = page.NextContinuationToken;', replace: 'from = undefined;', notice: s3Suite,
  },
  {
    name: 'blob-s3: a bucket that is not there passes for a blob that is not', file: `${s3}/create-s3-blob-store.ts`,
    find: "(error as Error).name === 'NoSuchKey'", replace: "'name' in (error as Error)", notice: s3Suite,
  },
  {
    name: 'blob-s3: words of the store are passed on', file: `${s3}/create-s3-blob-store.ts`,
    find: 'The bucket cannot be used: ${nameOf(error)}',
    replace: 'The bucket cannot be used: ${(error as Error).message}', notice: s3Suite,
  },
  {
    name: 'blob-s3: S3_BUCKET is ignored', file: 'packages/service-parts/src/open-blob-store.ts',
    find: 'if (bucket === null) return', replace: 'return', notice: { project: 'integration', pattern: 'open-blob-store' },
  },
];
