import { writePrivateJson } from './folder/private-json';
import type { Seeded } from './seed/seed';

/** `standalone.json`: what other programs need to work with this installation (docs/reference/single-process.md). */
export interface StandaloneFile extends Seeded {
  base_url: string;
  /** null when the settings name a CRM that is no simulator. */
  crm_simulator_url: string | null;
  operator_token: string;
  owner: { email: string; password: string };
  /** The process to signal. */
  pid: number;
}

/** Writes the file whole, for this user only. */
export function writeStandaloneFile(path: string, file: StandaloneFile): void {
  const {
    base_url,
    crm_simulator_url,
    operator_token,
    owner,
    organization_id,
    organization_api_key,
    crm_credential_id,
    connector_id,
    connector_api_key,
    pid,
  } = file;
  writePrivateJson(path, {
    base_url,
    crm_simulator_url,
    operator_token,
    owner,
    organization_id,
    organization_api_key,
    crm_credential_id,
    connector_id,
    connector_api_key,
    pid,
  } satisfies StandaloneFile);
}
