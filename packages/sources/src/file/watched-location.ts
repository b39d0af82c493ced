/** Where a file source looks for files. */
export type WatchedLocation = { kind: 'folder'; path: string } | { kind: 's3'; bucket: string; prefix: string };

/** Names of buckets (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html). */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads the `location` of a file source: a folder below the one of its organization, relative to it or absolute, or an `s3://`
 * prefix. Only texts are compared: whoever opens the folder also follows no symbolic link out of it.
 * @param folder absolute path of the organization's folder
 * @returns null for anything else
 */
export function watchedLocation(location: string, folder: string): WatchedLocation | null {
  if (/[\\\p{Cc}]/u.test(location)) return null;
  return location.startsWith('s3://') ? s3Location(location) : folderLocation(location, folder);
}

function s3Location(location: string): WatchedLocation | null {
  const [bucket = '', ...prefix] = location.slice('s3://'.length).split('/');
  return bucketName.test(bucket) ? { kind: 's3', bucket, prefix: prefix.join('/') } : null;
}

function folderLocation(location: string, folder: string): WatchedLocation | null {
  const [parts, own] = [partsOf(location), partsOf(folder)];
  if (/^[a-z0-9+.-]+:\/\//i.test(location) || parts.includes('..')) return null;
  const isAbsolute = location.startsWith('/');
  if (isAbsolute && !own.every((part, index) => parts[index] === part)) return null;
  const below = isAbsolute ? parts.slice(own.length) : parts;
  return below.length === 0 ? null : { kind: 'folder', path: `/${[...own, ...below].join('/')}` };
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');
