import { type ApiClient, ApiError, bearer, createApiClient, signIn } from '@sluice/api-client';
import { demoConfig } from './demo-config';
import { readPrivateJson, writePrivateJson } from '../folder/private-json';

/** What a seeded installation consists of. */
export interface Seeded {
  organization_id: string;
  organization_api_key: string;
  /** null when the CRM refused the demo's token: it is no simulator. */
  crm_credential_id: string | null;
  connector_id: string;
  connector_api_key: string;
}

export interface SeedOptions {
  baseUrl: string;
  operatorToken: string;
  owner: { email: string; password: string };
  /** The file with the progress, so that an interrupted seed continues and a finished one is not repeated. */
  file: string;
}

/** The access token of the simulator's default portal (docs/reference/crm-simulator.md). */
const simulatorToken = 'sim-access-1000001';
const names = {
  organization: 'Demo shop',
  organizationKey: 'demo',
  credential: 'Demo CRM',
  connector: 'Demo shop',
  connectorKey: 'shop backend',
} as const;

/**
 * Creates the demo organization with all it needs, through the product's own API. Repeating it changes nothing; an interrupted
 * seed continues where it stopped.
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const known = readPrivateJson<Partial<Seeded>>(options.file) ?? {};
  if (isComplete(known) && (await stillThere(options.baseUrl, known))) return known;
  const organization = await ensureOrganization(options);
  const owner = clientOf(options.baseUrl, organization.token);
  const kept = known.organization_id === organization.id ? known : {};
  let progress: Partial<Seeded> = { ...kept, organization_id: organization.id };
  const note = (more: Partial<Seeded>): void => writePrivateJson(options.file, (progress = { ...progress, ...more }));

  const organizationKey =
    (await stillOpens(options.baseUrl, progress.organization_api_key)) ??
    (await owner.createOrgApiKey({ body: { label: names.organizationKey } })).raw_key;
  note({ organization_api_key: organizationKey });
  const api = clientOf(options.baseUrl, organizationKey);
  const credentialId = await ensureCredential(api);
  note({ crm_credential_id: credentialId });
  const connectorId = await ensureConnector(api, credentialId, progress.connector_id);
  // The key of a deleted connector was deleted with it.
  if (connectorId !== progress.connector_id) note({ connector_id: connectorId, connector_api_key: undefined });
  await publish(api, connectorId, credentialId);
  // After the publish: the event plane looks a key up that it does not know, and so knows all that was published before.
  note({ connector_api_key: progress.connector_api_key ?? (await createKey(api, connectorId)) });
  return progress as Seeded;
}

function isComplete(known: Partial<Seeded>): known is Seeded {
  return known.connector_api_key !== undefined && known.organization_api_key !== undefined;
}

/** Not so when DATABASE_URL names another database than before, or somebody has revoked or deleted what the seed made. */
async function stillThere(baseUrl: string, known: Seeded): Promise<boolean> {
  const api = clientOf(baseUrl, known.organization_api_key);
  return found(() => api.getConnector({ params: { connector_id: known.connector_id } }));
}

/** An organization key that was made before, unless it has been revoked since. */
async function stillOpens(baseUrl: string, key: string | undefined): Promise<string | undefined> {
  if (key === undefined) return undefined;
  return (await found(() => clientOf(baseUrl, key).me())) ? key : undefined;
}

/** Whether a call succeeds, and not with 401, 403 or 404. */
async function found(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return false;
    throw error;
  }
}

async function ensureOrganization({ baseUrl, operatorToken, owner }: SeedOptions): Promise<{ id: string; token: string }> {
  const operator = clientOf(baseUrl, operatorToken);
  try {
    await operator.createOrganization({
      body: { name: names.organization, owner_email: owner.email, owner_password: owner.password, tier: 'enterprise' },
    });
  } catch (error) {
    // It was made by a seed that was cut short before it could note its id.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
  const token = await signIn(baseUrl, owner);
  const { organization } = await clientOf(baseUrl, token).me();
  if (!organization) throw new Error('the demo owner has no organization');
  // Orders of different customers may then pass each other; those of one order may not.
  await operator.updateOrganization({ params: { organization_id: organization.id }, body: { per_record_ordering: true } });
  return { id: organization.id, token };
}

const clientOf = (baseUrl: string, token: string): ApiClient => createApiClient({ baseUrl, headers: bearer(token) });

async function ensureCredential(api: ApiClient): Promise<string | null> {
  const listed = (await api.listCredentials()).items.find(({ name }) => name === names.credential);
  if (listed) return listed.id;
  try {
    const body = { name: names.credential, credential_type: 'crm_oauth', data: { access_token: simulatorToken } } as const;
    return (await api.createCredential({ body })).id;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return null;
    throw error;
  }
}

async function ensureConnector(api: ApiClient, credentialId: string | null, known: string | undefined): Promise<string> {
  if (known !== undefined && (await found(() => api.getConnector({ params: { connector_id: known } })))) return known;
  const listed = (await api.listConnectors()).items.find(({ name }) => name === names.connector);
  return (
    listed?.id ?? (await api.createConnector({ body: { name: names.connector, credential_id: credentialId } })).id
  );
}

async function createKey(api: ApiClient, connectorId: string): Promise<string> {
  const made = await api.createConnectorApiKey({ params: { connector_id: connectorId }, body: { label: names.connectorKey } });
  return made.raw_key;
}

/** Without a CRM there is nothing to provision: the draft is left for whoever connects one. */
async function publish(api: ApiClient, connectorId: string, credentialId: string | null): Promise<void> {
  const params = { connector_id: connectorId };
  await api.replaceDraft({ params, body: { ...demoConfig } });
  if (credentialId !== null) await api.publishDraft({ params, body: { change_summary: 'The demo shop' } });
}
