import { orderingOf } from '@sluice/contracts';
import { type AuditFacts, inAuditScope, type OrganizationPatch, type OrganizationStore } from '@sluice/ports';
import type { Organization, Prisma, PrismaClient } from '../generated/client';
import { assertKeyFits } from './assert-key-fits';
import { asId, inTransaction, isUuid, json } from './config-client';
import { apiKeyRow, organizationRow } from './config-rows';
import { announce, lockOrganization, reorder, usableKeys } from './connector-changes';
import { newKeyRow } from './new-key-row';

/** Milliseconds within which further uses of a key are not written down again. */
const useNoteEveryMs = 60_000;

/** Organizations, their plan and their API keys. */
export function createOrganizationStore(prisma: PrismaClient): OrganizationStore {
  return {
    async get(id) {
      const row = isUuid(id) ? await prisma.organization.findUnique({ where: { id } }) : null;
      return row && organizationRow(row);
    },

    update: (id, patch) => changeOrganization(prisma, id, columnsOf(patch)),

    async usage(organizationId) {
      const id = asId(organizationId);
      const [connectors, eventSources, seats, portals] = await Promise.all([
        prisma.connector.count({ where: { organization_id: id, deleted_at: null } }),
        prisma.connectorSource.count({ where: { connector: { organization_id: id, deleted_at: null } } }),
        prisma.membership.count({ where: { organization_id: id } }),
        prisma.credential.findMany({
          where: { organization_id: id, portal_id: { not: null } },
          distinct: ['portal_id'],
          select: { portal_id: true },
        }),
      ]);
      return { connectors, eventSources, seats, portals: portals.length };
    },

    async objectTypes(organizationId) {
      const rows = await prisma.$queryRaw<{ type: string }[]>`
        WITH used AS (
          SELECT id, active_version FROM connectors WHERE organization_id = ${asId(organizationId)}::uuid AND deleted_at IS NULL
        ), configs AS (
          SELECT d.config FROM used JOIN drafts d ON d.connector_id = used.id
          UNION ALL
          SELECT v.config FROM used JOIN versions v ON v.connector_id = used.id AND v.version = used.active_version
        ), named AS (
          SELECT type FROM configs, unnest(ARRAY[
            '$.entities[*].schemas.*.object_type', '$.flows[*].steps[*].object_type', '$.flows[*].steps[*].fields[*].object_type',
            '$.pipelines[*].object_type', '$.sources[*] ? (@.type == "crm").config.triggers[*].object_type',
            '$.sources[*] ? (@.type == "crm").config.enrich_properties.keyvalue().key'
          ]::jsonpath[]) AS place, jsonb_path_query(configs.config::jsonb, place, '{}', true) AS type
          UNION ALL
          SELECT to_jsonb(substring(flow ->> 'event_type' FROM '^([0-9]+-[0-9]+)[.](?:create|update|delete|[*])$')) AS type
          FROM configs, jsonb_path_query(configs.config::jsonb, '$.flows[*]') AS flow
          WHERE jsonb_path_exists(
            configs.config::jsonb, '$.sources[*] ? (@.type == "crm" && @.name == $name)', jsonb_build_object('name', flow -> 'source')
          )
        )
        SELECT DISTINCT type #>> '{}' AS type FROM named WHERE jsonb_typeof(type) = 'string'`;
      return rows.map(({ type }) => type);
    },

    async endTrials(now) {
      const ended = await prisma.organization.findMany({
        where: { tier: 'trial', trial_ends_at: { lte: now } },
        select: { id: true },
        take: 100,
      });
      let moved = 0;
      for (const { id } of ended) {
        const changed = await inAuditScope(
          () => trialEnd(id),
          () => changeOrganization(prisma, id, { tier: 'free', trial_ends_at: null }, (row) => row.tier === 'trial'),
        );
        if (changed) moved += 1;
      }
      return moved;
    },

    createKey: (organizationId, key) => inTransaction(prisma, async (tx) => {
      await lockOrganization(tx, organizationId);
      const usage = await tx.organizationApiKey.count({ where: { organization_id: organizationId, ...usableKeys(new Date()) } });
      assertKeyFits(key, usage);
      const data = { organization_id: organizationId, ...newKeyRow(key) };
      return apiKeyRow(await tx.organizationApiKey.create({ data }));
    }),

    async keys(organizationId, { limit, offset }) {
      const where = { organization_id: asId(organizationId) };
      const [rows, total] = await Promise.all([
        prisma.organizationApiKey.findMany({
          where,
          orderBy: [{ created_at: 'desc' }, { id: 'asc' }],
          take: limit,
          skip: offset,
        }),
        prisma.organizationApiKey.count({ where }),
      ]);
      return { items: rows.map(apiKeyRow), total };
    },

    async revokeKey(organizationId, keyId) {
      if (!isUuid(keyId)) return false;
      return inTransaction(prisma, async (tx) => {
        const known = await tx.organizationApiKey.count({ where: { id: keyId, organization_id: asId(organizationId) } });
        await tx.organizationApiKey.updateMany({
          where: { id: keyId, organization_id: asId(organizationId), revoked_at: null },
          data: { revoked_at: new Date() },
        });
        return known > 0;
      });
    },

    async byKeyHash(hash) {
      const key = await prisma.organizationApiKey.findUnique({ where: { key_hash: hash }, include: { organization: true } });
      const now = new Date();
      if (!key || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) return null;
      if (key.last_used_at === null || now.getTime() - key.last_used_at.getTime() > useNoteEveryMs) {
        await prisma.organizationApiKey.update({ where: { id: key.id }, data: { last_used_at: now } });
      }
      return { keyId: key.id, label: key.label, organization: organizationRow(key.organization) };
    },
  };
}

const trialEnd = (organizationId: string): AuditFacts => ({
  organizationId,
  actor: { type: 'system', id: null, label: null },
  action: 'organization.trial_end',
  target: { type: 'organization', id: organizationId },
  ip: null,
  requestId: null,
});

function columnsOf(patch: OrganizationPatch): Prisma.OrganizationUpdateInput {
  return {
    tier: patch.tier, state: patch.state, per_record_ordering: patch.perRecordOrdering,
    write_cap_review: patch.writeCapReview, publish_review: patch.publishReview,
    ...(patch.limits === undefined ? {} : { limits: json(patch.limits) }),
    // A tier set by an operator is a contract, no trial.
    ...(patch.tier === undefined ? {} : { trial_ends_at: null }),
  };
}

/** Milliseconds: an organization may have thousands of connectors to tell of. */
const wideTimeoutMs = 60_000;

/** @param wanted asked once the row is locked: what was read before may have changed */
async function changeOrganization(
  prisma: PrismaClient,
  id: string,
  data: Prisma.OrganizationUpdateInput,
  wanted?: (row: Organization) => boolean,
): ReturnType<OrganizationStore['update']> {
  if (!isUuid(id)) return null;
  return inTransaction(
    prisma,
    async (tx) => {
      if (!(await lockOrganization(tx, id))) return null;
      if (wanted && !wanted(await tx.organization.findUniqueOrThrow({ where: { id } }))) return null;
      const before = await tx.organization.findUniqueOrThrow({ where: { id } });
      const row = await tx.organization.update({ where: { id }, data });
      const where = { organization_id: id, deleted_at: null };
      const connectors = await tx.connector.findMany({ where, select: { id: true, settings: true } });
      if (row.per_record_ordering !== before.per_record_ordering) {
        const perRecord = connectors.filter(({ settings }) => orderingOf(settings as Record<string, unknown>) === 'record');
        await reorder(
          tx,
          perRecord.map((connector) => connector.id),
        );
      }
      await announce(
        tx,
        connectors.map((connector) => connector.id),
      );
      return organizationRow(row);
    },
    wideTimeoutMs,
  );
}
