import { randomUUID } from 'node:crypto';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, createFeed } from './config-store-lab';

/** The width of a connector: the number of lanes, raised from a moment ahead on and never lowered. */
export function configWidthTests(lab: () => ConfigStoreLab): void {
  const connectors = () => lab().store.connectors;

  const raise = (id: string, width: number, leadMs = 0) => connectors().raiseWidth(id, width, leadMs);
  const told = async (id: string) => {
    const { ordering_epoch: epoch, width, width_raise: raised } = (await createFeed(lab()).of(id)).at(-1)!;
    return { epoch, width, before: raised?.before };
  };

  it('is raised from a moment ahead on, with a new ordering epoch', async () => {
    const { id } = await aConnector(lab());
    const asked = Date.now();
    const raised = await raise(id, 4, 60_000);
    expect(raised).toMatchObject({ ok: true, width: { width: 4, before: 1 } });
    const ahead = raised.ok ? raised.width.from!.getTime() - asked : 0;
    expect([ahead > 30_000, ahead < 120_000]).toEqual([true, true]);
    expect(await told(id)).toEqual({ epoch: 1, width: 4, before: 1 });
  });

  it('the same width again changes nothing', async () => {
    const { id } = await aConnector(lab());
    expect(await raise(id, 1)).toEqual({ ok: true, width: { width: 1, before: 1, from: null } });
    const raised = await raise(id, 3, 60_000);
    expect(await raise(id, 3)).toEqual(raised);
    expect(await createFeed(lab()).of(id)).toHaveLength(2);
  });

  it('is never lowered, and raised again only after the raise before has begun', async () => {
    const { id } = await aConnector(lab());
    await raise(id, 4, 60_000);
    expect(await raise(id, 2)).toMatchObject({ ok: false, reason: 'narrower', width: { width: 4 } });
    expect(await raise(id, 5)).toMatchObject({ ok: false, reason: 'pending', width: { width: 4 } });
    const { id: other } = await aConnector(lab());
    await raise(other, 2, -1_000);
    expect(await raise(other, 8, -1_000)).toMatchObject({ ok: true, width: { width: 8, before: 2 } });
    expect(await told(other)).toEqual({ epoch: 2, width: 8, before: 2 });
  });

  it('belongs to a connector that exists', async () => {
    const { id, organizationId } = await aConnector(lab());
    await connectors().delete(organizationId, id);
    for (const unknown of [id, randomUUID(), 'x']) expect(await raise(unknown, 2)).toEqual({ ok: false, reason: 'not_found' });
  });
}
