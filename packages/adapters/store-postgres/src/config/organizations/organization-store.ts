import type { OrganizationPatch, OrganizationStore } from '@sluice/ports';
import type { Prisma, PrismaClient } from '../../generated/client';
import { addOrganization } from './add-organization';
import { assertKeyFits } from '../connectors/assert-key-fits';
import { changeOrganization, wideTimeoutMs } from './change-organization';
import { asId, inTransaction, isUuid, json, type Reader } from '../../config-client/config-client';
import { apiKeyRow, organizationRow } from '../config-rows';
import { lockOrganization, usableKeys } from '../../config-client/connector-changes';
import { timeIn } from '../../config-client/database-time';
import { newKeyRow } from '../connectors/new-key-row';
import { organizationLifecycle } from './organization-lifecycle';
import { usedSeats } from './seats';

/** Milliseconds within which further uses of a key are not written down again. */
const useNoteEveryMs = 60_000;

/** Organizations, their plan and their API keys. */
export function createOrganizationStore(prisma: PrismaClient): OrganizationStore {
  return {
    async get(id) {
      const row = isUuid(id) ? await prisma.organization.findUnique({ where: { id } }) : null;
      return row && organizationRow(row);
    },

    add: (organization) => inTransaction(prisma, (tx) => addOrganization(tx, organization)),
    update: (id, patch) => inTransaction(prisma, async (tx) => {
      const row = isUuid(id) ? await changeOrganization(tx, id, await columnsOf(tx, patch)) : null;
      return row && organizationRow(row);
    }, wideTimeoutMs),
    ...organizationLifecycle(prisma),

    async usage(organizationId) {
      const id = asId(organizationId);
      const [connectors, eventSources, seats, portals] = await Promise.all([
        prisma.connector.count({ where: { organization_id: id, deleted_at: null } }),
        prisma.connectorSource.count({ where: { connector: { organization_id: id, deleted_at: null } } }),
        usedSeats(prisma, id),
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
            configs.config::jsonb, '$.sources[*] ? (@.type == "crm" && @.name == $name)',
            jsonb_build_object('name', flow -> 'source')
          )
        )
        SELECT DISTINCT type #>> '{}' AS type FROM named WHERE jsonb_typeof(type) = 'string'`;
      return rows.map(({ type }) => type);
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
      const { id: keyId, label, created_by_id: createdById } = key;
      return { keyId, label, createdById, organization: organizationRow(key.organization) };
    },
  };
}

async function columnsOf(reader: Reader, patch: OrganizationPatch): Promise<Prisma.OrganizationUpdateInput> {
  const { state, recoveryMs } = patch;
  return {
    name: patch.name, tier: patch.tier, state, per_record_ordering: patch.perRecordOrdering,
    write_cap_review: patch.writeCapReview, publish_review: patch.publishReview, assistant_off: patch.assistantOff,
    ...(patch.limits === undefined ? {} : { limits: json(patch.limits) }),
    // A tier set by an operator is a contract, no trial.
    ...(patch.tier === undefined ? {} : { trial_ends_at: null }),
    ...(state === undefined ? {} : { closes_at: state === 'closing' ? await timeIn(reader, recoveryMs ?? 0) : null }),
  };
}
