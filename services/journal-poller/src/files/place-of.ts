import { relative, join } from 'node:path';
import { type ConnectorChange, coversHost, type Source } from '@sluice/contracts';
import { type ConfigReader, type ConnectorReader, type SourceRef, type WatchedPlace,
  WatchedFilesUnreadable } from '@sluice/ports';
import { type FileConfig, readConfig, watchedLocation } from '@sluice/sources';

export interface PlaceDeps {
  /** SLUICE_FILE_ROOT, absolute; null: no folder is watched. */
  root: string | null;
  reader: Pick<ConnectorReader, 'versionSources'> & Pick<ConfigReader, 'sourceCredential'>;
}

/** The published definition of a source that has a location; null: it watches none, or a folder where none may be watched. */
export async function watchedSource(
  { reader, root }: PlaceDeps, { connector, ref }: { connector: ConnectorChange; ref: SourceRef },
): Promise<Source | null> {
  const { active_version: version, connector_id: id } = connector;
  const published = version === null ? null : await reader.versionSources(id, version);
  const source = published?.sources.find(({ name, type }) => name === ref.name && type === 'file');
  const { location } = readConfig<FileConfig>(source?.config);
  if (source === undefined || location === undefined) return null;
  return root === null && !location.startsWith('s3://') ? null : source;
}

/**
 * Where a watched source looks.
 * @throws WatchedFilesUnreadable when its key cannot be used; StoreUnavailable
 */
export async function placeOf(
  deps: PlaceDeps, { connector: { organization_id: organizationId }, source }: { connector: ConnectorChange; source: Source },
): Promise<WatchedPlace> {
  const config = readConfig<FileConfig>(source.config);
  const root = deps.root ?? '/';
  const found = watchedLocation(config.location!, join(root, organizationId));
  if (found === null) throw new WatchedFilesUnreadable(`the location '${config.location}' cannot be watched`);
  if (found.kind === 'folder') return { kind: 'folder', path: relative(root, found.path).split('/') };
  const { bucket, prefix } = found;
  const region = config.region ?? 'us-east-1';
  const endpoint = config.endpoint ?? `https://s3.${region}.amazonaws.com`;
  return { kind: 's3', bucket, prefix, region, endpoint, credentials: await keyOf(deps, { organizationId, config, endpoint }) };
}

/** The organization's own key: the service has rights that a source must not use. */
async function keyOf(
  { reader }: PlaceDeps, { config, endpoint, organizationId }: { organizationId: string; config: FileConfig; endpoint: string },
): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  const { credential_name: name } = config;
  if (name === undefined) throw new WatchedFilesUnreadable(`its location is a bucket, which is read with a login: set 'credential_name'`);
  const credential = await reader.sourceCredential(organizationId, name);
  const unusable = (why: string) => new WatchedFilesUnreadable(`the credential '${name}' cannot be used: ${why}`);
  if (credential === null) throw unusable('it does not exist');
  if (credential.type !== 'login') throw unusable(`it is a ${credential.type}, and a bucket is read with a login`);
  const target = new URL(endpoint);
  const { allowedHosts, data } = credential;
  if (allowedHosts && !coversHost(allowedHosts, target)) throw unusable(`its allowed_hosts do not cover '${target.host}'`);
  return { accessKeyId: data.username, secretAccessKey: data.password };
}
