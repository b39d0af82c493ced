import { type Attachment, type InstallRefusal, type InstallRow, type InstallStore, noteAudit } from '@sluice/ports';
import type { PrismaClient } from '../../generated/client';
import { inTransaction, type Reader, type Transaction } from '../../config-client/config-client';
import { createCredential } from './credential-store';
import { inMs } from '../../config-client/database-time';
import { updateConnector } from '../connectors/update-connector';

type Answer = Awaited<ReturnType<InstallStore['attach']>>;

/** Undoes what the transaction has done until then; the answer is what `attach` says. */
class Refused extends Error {
  constructor(readonly answer: Extract<Answer, { ok: false }>) {
    super('the install was not attached');
  }
}

/** Installs that wait, on Postgres. */
export function createInstallStore(prisma: PrismaClient): InstallStore {
  return {
    async add({ id, tokenHash, sealed, portalId, scopes, tokenExpiresAt, ttlMs }) {
      await prisma.$executeRaw`
        INSERT INTO crm_installs (id, token_hash, sealed, portal_id, scopes, token_expires_at, expires_at)
        VALUES (${id}::uuid, ${tokenHash}, ${sealed}, ${portalId}, ${scopes}, ${tokenExpiresAt}, ${inMs(ttlMs)})`;
    },

    find: (tokenHash) => findInstall(prisma, tokenHash),

    async attach(attachment) {
      try {
        return await inTransaction(prisma, (tx) => attach(tx, attachment));
      } catch (error) {
        if (error instanceof Refused) return error.answer;
        throw error;
      }
    },

    async sweep(before) {
      await prisma.crmInstall.deleteMany({ where: { expires_at: { lt: before } } });
    },
  };
}

async function attach(tx: Transaction, { tokenHash, credential, connector }: Attachment): Promise<Answer> {
  const found = await findInstall(tx, tokenHash);
  if (!found.ok) return { ok: false, of: 'install', refusal: found };
  await tx.$executeRaw`UPDATE crm_installs SET consumed_at = now(), sealed = NULL WHERE token_hash = ${tokenHash}`;
  const created = await createCredential(tx, credential);
  if (!created.ok) throw new Refused({ ok: false, of: 'credential', refusal: created });
  noteAudit({ targetId: credential.id });
  if (connector === null) return { ok: true, credential: created.credential, connector: null };
  const patch = { ...connector, credentialId: credential.id };
  const bound = await updateConnector(tx, credential.organizationId, connector.id, patch);
  if (!bound.ok) throw new Refused({ ok: false, of: 'connector', refusal: bound });
  return { ok: true, credential: created.credential, connector: bound.connector };
}

/** Under the row lock of the install, where the reader is a transaction: of two who bring it, the second finds it consumed. */
async function findInstall(reader: Reader, tokenHash: string): Promise<{ ok: true; install: InstallRow } | InstallRefusal> {
  const [row] = await reader.$queryRaw<(InstallRow & { sealed: string | null; consumed: boolean; expired: boolean })[]>`
    SELECT id, sealed, portal_id AS "portalId", scopes, token_expires_at AS "tokenExpiresAt",
      consumed_at IS NOT NULL AS consumed, expires_at <= now() AS expired
    FROM crm_installs WHERE token_hash = ${tokenHash} FOR UPDATE`;
  if (!row) return { ok: false, reason: 'install_not_found' };
  if (row.consumed) return { ok: false, reason: 'install_consumed' };
  if (row.expired) return { ok: false, reason: 'install_expired' };
  const { consumed: _, expired: __, ...install } = row;
  return { ok: true, install };
}
