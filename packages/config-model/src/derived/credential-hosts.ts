import type { ConfigDocument } from '@sluice/contracts';
import { credentialsOf, urlsOf } from '@sluice/sources';

/** A credential and a host that a source sends it to. `host`: with its port where that is not the scheme's own. */
export interface CredentialHost {
  credential_name: string;
  host: string;
  source: string;
}

/** Pairs of credential and host that a config has and another one, published before, has not. */
export function newCredentialHosts(config: ConfigDocument, before: ConfigDocument | null): CredentialHost[] {
  const known = new Set(before === null ? [] : credentialHosts(before).map(pairOf));
  return credentialHosts(config).filter((pair) => !known.has(pairOf(pair)));
}

const pairOf = ({ credential_name: name, host }: CredentialHost): string => JSON.stringify([name, host]);

/** Each pair once per source, in the order of the sources. */
function credentialHosts({ sources }: Pick<ConfigDocument, 'sources'>): CredentialHost[] {
  return (sources ?? []).flatMap((source) => {
    const hosts = new Set(urlsOf(source).flatMap(({ value }) => (URL.canParse(value) ? [new URL(value).host] : [])));
    const names = new Set(credentialsOf(source).map(({ value }) => value));
    return [...names].flatMap((name) => [...hosts].map((host) => ({ credential_name: name, host, source: source.name })));
  });
}
