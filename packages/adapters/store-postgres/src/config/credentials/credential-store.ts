import { type CredentialStore, type NewCredential, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { rebindAll } from '../connectors/binding';
import { asId, inTransaction, isUuid, type Transaction, violates } from '../../config-client/config-client';
import { allowedHostsOf, credentialRow } from '../config-rows';
import { announce, lockOrganization } from '../../config-client/connector-changes';
import { lockCredential } from './lock-credential';

type Answer = Awaited<ReturnType<CredentialStore['create']>>;

/** Credentials, sealed. Those of the CRM decide which portal connectors without one of their own act on. */
export function createCredentialStore(prisma: PrismaClient): CredentialStore {
  return {
    create: (credential) => namesApart(() => inTransaction(prisma, (tx) => createCredential(tx, credential))),

    async list(organizationId, { limit, offset }) {
      const where = { organization_id: asId(organizationId) };
      const [rows, total] = await Promise.all([
        prisma.credential.findMany({ where, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset }),
        prisma.credential.count({ where }),
      ]);
      return { items: rows.map(credentialRow), total };
    },

    async get(organizationId, id) {
      const row = isUuid(id) ? await prisma.credential.findFirst({ where: { id, organization_id: asId(organizationId) } }) : null;
      return row && credentialRow(row);
    },

    async names(organizationId) {
      const rows = await prisma.credential.findMany({
        where: { organization_id: asId(organizationId), source_name: { not: null } },
        select: { name: true, credential_type: true, allowed_hosts: true },
      });
      return rows.map((row) => ({ name: row.name, credentialType: row.credential_type, allowedHosts: allowedHostsOf(row) }));
    },

    rotate: (organizationId, id, secret) => namesApart(() => inTransaction(prisma, async (tx): Promise<Answer> => {
      await lockOrganization(tx, organizationId);
      const row = isUuid(id) ? await tx.credential.findFirst({ where: { id, organization_id: asId(organizationId) } }) : null;
      if (!row) return { ok: false, reason: 'not_found' };
      if (row.portal_id !== (secret.portalId ?? null)) return { ok: false, reason: 'portal_changed' };
      await lockCredential(tx, row.id);
      const name = secret.name ?? row.name;
      const updated = await tx.credential.update({
        where: { id },
        data: {
          name, source_name: row.source_name === null ? null : name, sealed: secret.sealed, scopes: secret.scopes ?? [],
          token_expires_at: secret.tokenExpiresAt ?? null, updated_by_id: secret.updatedById,
          ...(secret.allowedHosts !== undefined && { allowed_hosts: secret.allowedHosts ?? [] }),
        },
      });
      return { ok: true, credential: credentialRow(updated) };
    })),

    async delete(organizationId, id) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        await lockOrganization(tx, organizationId);
        await lockCredential(tx, id);
        const gone = await tx.credential.deleteMany({ where: { id, organization_id: asId(organizationId) } });
        if (gone.count === 0) return false;
        const users = await tx.connector.findMany({ where: { credential_id: id, deleted_at: null }, select: { id: true } });
        await tx.connector.updateMany({ where: { credential_id: id }, data: { credential_id: null } });
        const rebound = await rebindAll(tx, organizationId);
        await announce(tx, [...new Set([...rebound, ...users.map((user) => user.id)])]);
        return true;
      });
    },
  };
}

/** Stores a credential in a transaction; a portal that the plan has no place for is refused. */
export async function createCredential(tx: Transaction, credential: NewCredential): Promise<Answer> {
  const { organizationId: organization_id, portalId = null, portalsLimit } = credential;
  if (!(await lockOrganization(tx, organization_id))) return { ok: false, reason: 'not_found' };
  if (portalId !== null && portalsLimit !== null) {
    const connected = await tx.credential.findMany({
      where: { organization_id, portal_id: { not: null } },
      distinct: ['portal_id'],
      select: { portal_id: true },
    });
    const isNew = !connected.some(({ portal_id }) => portal_id === portalId);
    if (isNew && connected.length >= portalsLimit) return { ok: false, reason: 'limit_reached', usage: connected.length };
  }
  const row = await tx.credential.create({
    data: {
      id: credential.id,
      organization_id,
      name: credential.name,
      credential_type: credential.credentialType,
      source_name: credential.credentialType === 'crm_oauth' ? null : credential.name,
      sealed: credential.sealed,
      portal_id: portalId,
      scopes: credential.scopes ?? [],
      allowed_hosts: credential.allowedHosts ?? [],
      token_expires_at: credential.tokenExpiresAt ?? null,
      created_by_id: credential.createdById,
    },
  });
  noteAudit({ targetId: credential.id });
  if (portalId !== null) await announce(tx, await rebindAll(tx, organization_id));
  return { ok: true, credential: credentialRow(row) };
}

async function namesApart(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (violates(error, 'source_name')) return { ok: false, reason: 'name_taken' };
    throw error;
  }
}
