import { type AccountStore, noteAudit, type SessionRow } from '@sluice/ports';
import type { PrismaClient, Session } from '../../generated/client';
import { accountRow } from './account-rows';
import { asId, inTransaction, isUuid } from '../../config-client/config-client';
import { organizationRow } from '../config-rows';
import { organizationIdsOf } from './memberships';
import { logOut, openSession, rotate } from './sessions';

type SessionMethods = Pick<
  AccountStore,
  | 'openSession' | 'rotate' | 'sessionOfToken' | 'sessions' | 'endSession' | 'endSessionById' | 'endSessionOf' | 'sessionActor'
  | 'activate' | 'sweepSessions'
>;

/** Milliseconds within which further uses of a session are not written down again. */
const useNoteEveryMs = 60_000;

/** Sessions with rotating refresh tokens. */
export function sessionMethods(prisma: PrismaClient): SessionMethods {
  return {
    openSession: (session) => inTransaction(prisma, async (tx) => {
      const id = await openSession(tx, session);
      // A sign-in concerns every organization of the account.
      const organizationIds = await organizationIdsOf(tx, session.userId);
      noteAudit({ organizationIds, userId: session.userId, targetId: id });
      return id;
    }),

    async rotate(exchange) {
      // Before the lock: whether the token was used when this exchange began.
      const before = await prisma.refreshToken.findUnique({
        where: { token_hash: exchange.tokenHash },
        select: { used_at: true, session_id: true },
      });
      if (before && !exchange.isProven(before.session_id)) return { outcome: 'unproven' };
      return inTransaction(prisma, (tx) => rotate(tx, exchange, before?.used_at === null));
    },

    async sessionOfToken(tokenHash) {
      const token = await prisma.refreshToken.findUnique({ where: { token_hash: tokenHash }, select: { session_id: true } });
      return token?.session_id ?? null;
    },

    async sessions(userId, { limit, offset }) {
      const where = { user_id: asId(userId), ended_at: null, ends_at: { gt: new Date() } };
      const [rows, total] = await Promise.all([
        prisma.session.findMany({ where, orderBy: [{ created_at: 'desc' }, { id: 'asc' }], take: limit, skip: offset }),
        prisma.session.count({ where }),
      ]);
      return { items: rows.map(sessionRow), total };
    },

    endSession: (tokenHash) => inTransaction(prisma, (tx) => logOut(tx, { tokens: { some: { token_hash: tokenHash } } })),
    endSessionById: async (sessionId) => isUuid(sessionId) && inTransaction(prisma, (tx) => logOut(tx, { id: sessionId })),
    endSessionOf: async (userId, sessionId) => inTransaction(
      prisma,
      (tx) => logOut(tx, { id: asId(sessionId), user_id: asId(userId) }, 'revoked'),
    ),

    async sessionActor(sessionId) {
      if (!isUuid(sessionId)) return null;
      const session = await prisma.session.findUnique({
        where: { id: sessionId },
        include: { user: { include: { memberships: true } }, organization: true },
      });
      const now = new Date();
      if (!session || session.ended_at !== null || session.ends_at <= now) return null;
      if (now.getTime() - session.last_used_at.getTime() > useNoteEveryMs)
        await prisma.session.updateMany({ where: { id: sessionId }, data: { last_used_at: now } });
      const { memberships } = session.user;
      const role = memberships.find(({ organization_id }) => organization_id === session.organization_id)?.role;
      return {
        account: accountRow(session.user), organization: session.organization && organizationRow(session.organization),
        role: role === 'owner' || role === 'member' ? role : null, hasOrganization: memberships.length > 0,
      };
    },

    activate: (sessionId, organizationId) => inTransaction(prisma, async (tx) => {
      if (!isUuid(sessionId) || !isUuid(organizationId)) return false;
      const changed = await tx.$executeRaw`
        UPDATE sessions s SET organization_id = m.organization_id FROM memberships m
        WHERE s.id = ${sessionId}::uuid AND s.ended_at IS NULL
          AND m.user_id = s.user_id AND m.organization_id = ${organizationId}::uuid`;
      if (changed === 0) return false;
      noteAudit({ organizationIds: [organizationId], targetId: sessionId });
      return true;
    }),

    async sweepSessions(before) {
      await prisma.refreshToken.deleteMany({ where: { expires_at: { lt: before } } });
      await prisma.session.deleteMany({ where: { OR: [{ tokens: { none: {} } }, { ends_at: { lt: before } }] } });
    },
  };
}

const sessionRow = (row: Session): SessionRow =>
  ({ id: row.id, createdAt: row.created_at, lastUsedAt: row.last_used_at, ip: row.ip, userAgent: row.user_agent });
