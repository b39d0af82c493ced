import { tinyConfig } from '../test-support/tiny-config';
import { createCompiledConfigs } from './compiled-configs';

/** Published versions by `<connector>/<version>`; a missing one may be published later. */
function lab(published: Record<string, unknown>) {
  const asked: string[] = [];
  const failures: Error[] = [];
  const configs = createCompiledConfigs({
    versionConfig: (connectorId, version) => {
      asked.push(`${connectorId}/${version}`);
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve(published[`${connectorId}/${version}`] ?? null);
    },
  });
  return { asked, failures, configs };
}

describe('compiled configs', () => {
  it('compiles a version once for concurrent requests', async () => {
    const { asked, configs } = lab({ 'c/1': tinyConfig });
    expect(configs.peek({ connectorId: 'c', version: 1 })).toBeUndefined();
    const [first, second] = await Promise.all([configs.load({ connectorId: 'c', version: 1 }),
      configs.load({ connectorId: 'c', version: 1 })]);
    expect(first!.match('event_api', 'order.placed').kind).toBe('flow');
    expect(second).toBe(first);
    expect(await configs.load({ connectorId: 'c', version: 1 })).toBe(first);
    expect(configs.peek({ connectorId: 'c', version: 1 })).toBe(first);
    expect(asked).toEqual(['c/1']);
  });

  it('keeps versions and connectors apart', async () => {
    const { asked, configs } = lab({ 'c/1': tinyConfig, 'c/2': { ...tinyConfig, flows: [] }, 'd/1': tinyConfig });
    const flows = async (connectorId: string, version: number): Promise<number> =>
      (await configs.load({ connectorId, version }))!.flows.size;
    expect([await flows('c', 1), await flows('c', 2), await flows('d', 1)]).toEqual([1, 0, 1]);
    expect(asked).toEqual(['c/1', 'c/2', 'd/1']);
  });

  it('is bounded in bytes: the least recently used version is loaded again', async () => {
    const large = { ...tinyConfig, settings: { padding: 'x'.repeat(1024 * 1024) } };
    const names = Array.from({ length: 40 }, (_, connector) => `c${connector}`);
    const { asked, configs } = lab(Object.fromEntries(names.map((name) => [`${name}/1`, large])));
    for (const name of names) await configs.load({ connectorId: name, version: 1 });
    await configs.load({ connectorId: 'c39', version: 1 });
    await configs.load({ connectorId: 'c0', version: 1 });
    expect(asked.slice(40)).toEqual(['c0/1']);
  });

  it('loads again a version that did not exist', async () => {
    const published: Record<string, unknown> = {};
    const { configs } = lab(published);
    expect(await configs.load({ connectorId: 'c', version: 1 })).toBeNull();
    published['c/1'] = tinyConfig;
    expect(await configs.load({ connectorId: 'c', version: 1 })).not.toBeNull();
  });

  it('does not remember a failure', async () => {
    const { failures, configs } = lab({ 'c/1': tinyConfig });
    failures.push(new Error('down'));
    await expect(configs.load({ connectorId: 'c', version: 1 })).rejects.toThrow('down');
    expect(await configs.load({ connectorId: 'c', version: 1 })).not.toBeNull();
  });
});
