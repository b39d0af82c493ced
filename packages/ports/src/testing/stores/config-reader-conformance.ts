import { randomUUID } from 'node:crypto';
import type { ConfigDocument, FlowIndexEntry } from '@sluice/contracts';
import type { ConfigReader } from '../../config-store/config-reader';

/** A reader and what was put where it reads. */
export interface ConfigReaderLab {
  reader: ConfigReader;
  /**
   * A connector with one usable key and version 1, whose config has its keys in an order that is not alphabetical. It has a
   * webhook named `hook` with the secret `sealed`, and an ingress profile.
   */
  connector: { id: string; keyHash: string; config: unknown; flows: FlowIndexEntry[] };
  /** A CRM credential with the access token `access-1` and the refresh token `refresh-1`. */
  refreshable: { id: string; portalId: string };
  /** One with the access token `access-1` and no refresh token. */
  fixed: { id: string };
  /** An organization with the api_key `erp` of value `secret`. */
  organization: { id: string };
  close(): Promise<void>;
}

const never = (): Promise<never> => Promise.reject(new Error('the CRM must not be asked'));

/**
 * What every config reader must do. Call it at the top level of a test file.
 * @param makeLab called before each test
 */
export function configReaderConformance(name: string, makeLab: () => Promise<ConfigReaderLab>): void {
  describe(`${name} is a config reader`, () => {
    let lab: ConfigReaderLab;
    beforeEach(async () => { lab = await makeLab(); });
    afterEach(() => lab.close());

    it('finds a connector by id and by the hash of its key', async () => {
      const { reader, connector } = lab;
      const change = await reader.connector(connector.id);
      expect(change).toMatchObject({
        v: 1,
        connector_id: connector.id,
        deleted: false,
        active_version: 1,
        keys: [{ hash: connector.keyHash }],
      });
      expect(await reader.revision(connector.id)).toBe(change!.revision);
      expect(await reader.connectorByKeyHash(connector.keyHash)).toEqual({ change, key: change!.keys[0] });
    });

    it('gives a version as it was written', async () => {
      const { reader, connector } = lab;
      expect(JSON.stringify(await reader.versionConfig(connector.id, 1))).toBe(JSON.stringify(connector.config));
      expect(await reader.flowIndex(connector.id, 1)).toEqual(connector.flows);
    });

    it('gives the sources of a version without the rest of it', async () => {
      const { reader, connector } = lab;
      const { sources, ingress_profile: ingressProfile } = connector.config as ConfigDocument;
      expect(await reader.versionSources(connector.id, 1)).toEqual({ sources, ingressProfile });
      expect(sources.length).toBeGreaterThan(0);
      expect(
        await Promise.all([reader.versionSources(connector.id, 2), reader.versionSources('nonsense', 1)]),
      ).toEqual([null, null]);
    });

    it('gives the states of the sources, of no connector none', async () => {
      const { reader, connector } = lab;
      expect(await reader.sourceStates(connector.id)).toMatchObject([
        { name: 'hook', type: 'webhook', enabled: true, sealed: 'sealed' },
      ]);
      expect(await Promise.all(['nonsense', randomUUID()].map((id) => reader.sourceStates(id)))).toEqual([[], []]);
    });

    it.each(['nonsense', randomUUID(), ''])('knows nothing of %p', async (id) => {
      const { reader } = lab;
      expect(
        await Promise.all([
          reader.connector(id),
          reader.connectorByKeyHash(id),
          reader.versionConfig(id, 1),
          reader.flowIndex(id, 1),
          reader.crmAccess(id),
          reader.sourceCredential(id, 'erp'),
          reader.refreshCrmAccess(id, 'x', never),
        ]),
      ).toEqual([null, null, null, null, null, null, null]);
      expect([await reader.versionConfig(lab.connector.id, 2), await reader.flowIndex(lab.connector.id, 2)]).toEqual([
        null,
        null,
      ]);
    });

    it('gives the access of a credential', async () => {
      const { reader, refreshable } = lab;
      expect(await reader.crmAccess(refreshable.id)).toEqual({
        credentialId: refreshable.id,
        portalId: refreshable.portalId,
        accessToken: 'access-1',
        expiresAt: null,
      });
    });

    it('opens a credential by the name that sources know it by', async () => {
      const { reader, organization: { id } } = lab;
      expect(await reader.sourceCredential(id, 'erp')).toEqual({ type: 'api_key', data: { value: 'secret' },
        allowedHosts: ['erp.example'] });
      const none = await Promise.all(['shop', 'ERP', 'portal', 'a\0b', ''].map((name) => reader.sourceCredential(id, name)));
      expect(none).toEqual([null, null, null, null, null]);
      expect(await reader.sourceCredential(randomUUID(), 'erp')).toBeNull();
    });

    it('refreshes once for all who ask, and keeps the rotated refresh token', async () => {
      const { reader, refreshable: { id } } = lab;
      const used: string[] = [];
      const refresh = async (refreshToken: string) => {
        used.push(refreshToken);
        return { accessToken: `access-${used.length + 1}`, refreshToken: `refresh-${used.length + 1}`, expiresInS: 60 };
      };
      const answers = await Promise.all(Array.from({ length: 5 }, () => reader.refreshCrmAccess(id, 'access-1', refresh)));
      expect(answers.map((answer) => answer?.accessToken)).toEqual(Array(5).fill('access-2'));
      expect((await reader.crmAccess(id))?.expiresAt).toBeGreaterThan(Date.now());
      await reader.refreshCrmAccess(id, 'access-2', refresh);
      expect(used).toEqual(['refresh-1', 'refresh-2']);
    });

    it('changes nothing when the CRM refuses, fails, or there is nothing to refresh with', async () => {
      const { reader, refreshable, fixed } = lab;
      expect(await reader.refreshCrmAccess(refreshable.id, 'access-1', async () => null)).toBeNull();
      await expect(reader.refreshCrmAccess(refreshable.id, 'access-1', () => Promise.reject(new Error('cut')))).rejects.toThrow(
        'cut',
      );
      expect(await reader.refreshCrmAccess(fixed.id, 'access-1', never)).toBeNull();
      expect((await reader.crmAccess(refreshable.id))?.accessToken).toBe('access-1');
    });
  });
}
