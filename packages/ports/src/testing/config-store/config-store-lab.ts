import { createHash, randomUUID } from 'node:crypto';
import type { ConnectorChange } from '@sluice/contracts';
import type {
  ConfigStore, ConnectorRow, NewAccount, NewConnector, NewCredential, NewMail, NewMailToken, NewVersion, OutboxMessage,
  NewSession, OutboxOutcome, Role,
} from '../../config-store';
import type { TaskStore } from '../../tasks/task-store';

/** What the suite needs of an implementation. */
export interface ConfigStoreLab {
  store: ConfigStore;
  /** The same data as another process sees it. */
  other: ConfigStore;
  /** The tasks whose runs write with a fence. */
  tasks: TaskStore;
  /** Makes a user a member of one more organization, without an invitation. */
  addMember(organizationId: string, userId: string, role: Role): Promise<void>;
  /** Identity mappings of a connector, as the flow-runner writes and counts them. */
  addMappings(connectorId: string, count: number): Promise<void>;
  mappings(connectorId: string): Promise<number>;
  close(): Promise<void>;
}

export const everything = { limit: 100, offset: 0 };
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
export const aHash = (): string => hashOf(randomUUID());
export const anAddress = (): string => `${randomUUID()}@shop.example`;
export const inAnHour = (): Date => new Date(Date.now() + 3_600_000);
export const anHourAgo = (): Date => new Date(Date.now() - 3_600_000);

/** The value of an answer that must be a good one. */
export function ok<T extends { ok: boolean }>(answer: T): Extract<T, { ok: true }> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Extract<T, { ok: true }>;
}

/** A new organization with its owner. */
export async function signUp(
  lab: ConfigStoreLab,
  over: Partial<Pick<NewAccount, 'email' | 'tier' | 'trialKeys' | 'trialMs' | 'verified' | 'verification'>> = {},
): Promise<{ userId: string; organizationId: string; email: string }> {
  const email = over.email ?? `${randomUUID()}@shop.example`;
  const { userId, organizationId } = ok(
    await lab.store.accounts.create({ email, passwordHash: 'hash', organizationName: 'Shop', tier: 'enterprise', ...over }),
  );
  return { userId, organizationId, email };
}

export const aSession = (over: Partial<NewSession> = {}): NewSession => ({
  tokenHash: aHash(), expiresAt: inAnHour(), lifetimeMs: 86_400_000, ip: '192.0.2.7', userAgent: 'a browser', ...over,
});

/** A mail, as the service seals it: the suite never opens one. */
export const aMail = (to: string, over: Partial<NewMail> = {}): NewMail =>
  ({ id: randomUUID(), kind: 'verify_email', to, sealed: `sealed ${randomUUID()}`, ttlMs: 3_600_000, ...over });

export const aMailToken = (to: string, over: Partial<NewMailToken> = {}): NewMailToken =>
  ({ tokenHash: aHash(), ttlMs: 3_600_000, mail: aMail(to), ...over });

export const aKey = (over: { label?: string; hash?: string; expiresAt?: Date } = {}) => ({
  label: 'key',
  hash: aHash(),
  createdById: null,
  ...over,
});

export const newConnector = (organizationId: string, over: Partial<NewConnector> = {}): NewConnector => ({
  organizationId,
  name: 'Shop',
  mode: 'live',
  credentialId: null,
  createdById: null,
  apiKey: null,
  connectorsLimit: null,
  ...over,
});

/** A connector in an organization of its own, unless one is given. */
export async function aConnector(lab: ConfigStoreLab, over: Partial<NewConnector> = {}): Promise<ConnectorRow> {
  const organizationId = over.organizationId ?? (await signUp(lab)).organizationId;
  return ok(await lab.store.connectors.create(newConnector(organizationId, over))).connector;
}

export const newCredential = (organizationId: string, over: Partial<NewCredential> = {}): NewCredential => ({
  id: randomUUID(),
  organizationId,
  name: 'Portal',
  credentialType: 'crm_oauth',
  portalId: '77',
  sealed: 'sealed',
  createdById: null,
  portalsLimit: null,
  ...over,
});

/** A credential of the CRM, or of another type; answers its id. */
export async function aCredential(
  lab: ConfigStoreLab,
  organizationId: string,
  over: Partial<NewCredential> = {},
): Promise<string> {
  return ok(await lab.store.credentials.create(newCredential(organizationId, over))).credential.id;
}

export const newVersion = (connectorId: string, over: Partial<NewVersion> = {}): NewVersion => ({
  connectorId,
  config: {},
  flows: [],
  sources: [],
  baseVersion: 0,
  changeSummary: null,
  publishedBy: null,
  eventSourcesLimit: null,
  writeCapLimit: 500,
  ...over,
});

/** Everything the outbox holds goes through here, in its order. */
export interface Feed {
  /** What was told of a connector since the last call. */
  of(connectorId: string): Promise<ConnectorChange[]>;
  /** The newest of it; throws when nothing was told. */
  last(connectorId: string): Promise<ConnectorChange>;
}

/** What a round comes to that publishes everything. */
export const allPublished = (messages: readonly OutboxMessage[]): OutboxOutcome =>
  ({ published: messages.map(({ id }) => id), setAside: [] });

export function createFeed(lab: ConfigStoreLab): Feed {
  const told = new Map<string, ConnectorChange[]>();
  const take = async (): Promise<void> => {
    let taken: number | 'busy' = 1;
    while (taken !== 0) {
      taken = await lab.store.outbox.drain(100, async (messages) => {
        for (const { key, payload } of messages) told.set(key, [...(told.get(key) ?? []), payload as ConnectorChange]);
        return allPublished(messages);
      });
    }
  };
  const of = async (connectorId: string): Promise<ConnectorChange[]> => {
    await take();
    const changes = told.get(connectorId) ?? [];
    told.delete(connectorId);
    return changes;
  };
  return {
    of,
    last: async (connectorId) => {
      const change = (await of(connectorId)).at(-1);
      if (!change) throw new Error(`nothing was told of connector ${connectorId}`);
      return change;
    },
  };
}

/** Opens, rotates and looks at sessions of the lab's store. */
export function sessionsOf(lab: () => ConfigStoreLab) {
  const accounts = () => lab().store.accounts;
  const signIn = async (
    user: { userId: string; organizationId: string },
    expiresAt = inAnHour(),
  ): Promise<{ tokenHash: string; sessionId: string }> => {
    const tokenHash = aHash();
    return {
      tokenHash,
      sessionId: await accounts().openSession({
        ...aSession({ tokenHash, expiresAt }), userId: user.userId, organizationId: user.organizationId,
      }),
    };
  };
  const rotate = (tokenHash: string, nextHash = aHash(), store = accounts()) =>
    store.rotate({ tokenHash, nextHash, nextExpiresAt: inAnHour(), isProven: () => true });
  const alive = async (sessionId: string): Promise<boolean> => (await accounts().sessionActor(sessionId)) !== null;
  return { signIn, rotate, alive };
}
