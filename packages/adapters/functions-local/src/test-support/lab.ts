import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type FunctionAnswer, type FunctionCall, type FunctionName, type Logger, silentLogger } from '@sluice/ports';
import { createMemoryFunctionCode } from '@sluice/ports/testing';
import { sourceScript } from '@sluice/testkit';
import { createLocalFunctions, type LocalFunctionsOptions } from '../create-local-functions';

/** The child as the product starts it, from the sources. */
export const childScript = sourceScript(join(__dirname, '..', 'sandbox', 'main.ts'));
/** Another child, whose code lies in this folder. */
export const otherScript = (name: string) => sourceScript(join(__dirname, name));

/** More than the product's: a child that compiles sources first takes a gigabyte for that. */
export const childMemoryMb = 2_560;

export type Lab = ReturnType<typeof openLab>;

/** A platform with short bounds, and functions in it. */
export function openLab(options: Partial<LocalFunctionsOptions> = {}, logger: Logger = silentLogger) {
  const store = createMemoryFunctionCode();
  const bounds = { wallMs: 1_000, ...options.bounds };
  const platform = createLocalFunctions({
    store, logger, allowPrivateTargets: true, script: childScript, childMemoryMb, ...options, bounds,
  });
  const nameOf = (organizationId: string): FunctionName => ({ organizationId, pluginId: randomUUID(), developerId: null });
  const invoke = (name: FunctionName, call: Partial<FunctionCall> = {}): Promise<FunctionAnswer> =>
    platform.invoke({
      organizationId: name.organizationId, functionArn: platform.arnOf(name), qualifier: '$LATEST', payload: {},
      grants: { hosts: [], secrets: [] }, ...call,
    });
  return {
    platform,
    bounds,
    invoke,
    /** Deploys code, as a function of its own. Throws when it cannot run. */
    deploy: async (code: string, organizationId: string = randomUUID()): Promise<FunctionName> => {
      const name = nameOf(organizationId);
      const deployed = await platform.deploy(name, code);
      if (!deployed.ok) throw new Error(deployed.message);
      return name;
    },
    close: () => platform.close(),
  };
}

/** A handler with this body; `payload` is what it gets. */
export const handler = (body: string): string => `exports.handler = async (payload) => { ${body} };`;

/** `it` of Linux; elsewhere the test is skipped, and the output says why. */
export function onLinux(reason: string): typeof it {
  if (process.platform === 'linux') return it;
  return ((title: string) => {
    process.stdout.write(`skipped on ${process.platform}: ${title}: ${reason}\n`);
    it.skip(title, () => undefined);
  }) as unknown as typeof it;
}
