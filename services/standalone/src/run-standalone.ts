import type { Logger } from '@sluice/ports';
import {
  createLifecycle, createLogger, listenAddress, parseSettings, redactedSummary, runUntilSignal, secretValues, setupTracing,
  unknownSettings, weakSecrets, type Environment,
} from '@sluice/service-kit';
import { composeStandalone, standaloneDeclarations } from './compose';
import { runDemo } from './demo/run-demo';
import { runTwoWay, type TwoWayOptions } from './two-way/run-two-way';
import { addEmbeddedParts } from './embedded/embedded-parts';
import { usablePort } from './embedded/usable-port';
import { claimFolder } from './folder/claim-folder';
import { openDataFolder } from './folder/data-folder';
import { seed } from './seed/seed';
import { type StandaloneFile, writeStandaloneFile } from './standalone-file';
import { createStory, openLogTarget } from './story/create-story';

const ownerEmail = 'owner@demo-shop.example';

/** `npm start`: every service in one process, until it is told to go. */
export async function runStandalone(env: Environment): Promise<void> {
  const given = parseSettings(standaloneDeclarations, env, [], { weakSecrets: 'taken' });
  const folder = openDataFolder(given.dataDir);
  const release = await claimFolder(folder.root);
  const [story, { file: logFile, ...log }] = [createStory(), openLogTarget(folder.logs)];
  const { secrets } = folder;
  const logger = createLogger({
    service: 'standalone', level: given.logLevel, personalData: given.logPersonalData, ...log,
    secrets: [
      ...secretValues(standaloneDeclarations, env),
      secrets.encryptionKeys, secrets.operatorToken, secrets.postgresPassword, secrets.ownerPassword,
    ],
  });
  logger.info('settings', redactedSummary(standaloneDeclarations, env));
  for (const warning of weakSecrets(standaloneDeclarations, env, 'taken').warned) logger.warn(warning);
  const unknown = unknownSettings([standaloneDeclarations], env);
  if (unknown.length > 0) logger.warn('settings that nothing reads', { names: unknown });
  setupTracing();
  const lifecycle = createLifecycle({ name: 'sluice', logger });
  lifecycle.add(
    'data folder',
    () => story.tell(`Starting every service in this process, with its data in ${folder.root}`),
    async () => {
      await release();
      story.tell('Stopped.');
    },
  );
  const port = await usablePort(given.port, 'SLUICE_PORT', listenAddress(given.host));
  const { simulated, ...addresses } = await addEmbeddedParts(given, folder, lifecycle);
  const settings = {
    ...given, ...addresses, port,
    encryptionKeys: given.encryptionKeys ?? secrets.encryptionKeys,
    operatorToken: given.operatorToken ?? secrets.operatorToken,
    fileRoot: given.fileRoot ?? folder.watched,
  };
  const localUrl = localAddress(given.host, port);
  const baseUrl = given.publicUrl ?? `http://localhost:${port}`;
  const { health } = composeStandalone({ settings, logger, installation: secrets.installation, publicUrl: baseUrl }, lifecycle);

  const owner = { email: ownerEmail, password: secrets.ownerPassword };
  const leaving = new AbortController();
  let standalone: StandaloneFile | undefined;
  lifecycle.add('demo organization', async () => {
    const seeded = await seed({ baseUrl: localUrl, operatorToken: settings.operatorToken, owner, file: folder.seed });
    standalone = {
      base_url: baseUrl, crm_simulator_url: simulated || seeded.crm_credential_id !== null ? settings.crmBaseUrl : null,
      operator_token: settings.operatorToken, owner, ...seeded, pid: process.pid,
    };
    writeStandaloneFile(folder.standalone, standalone);
    story.tell(`Sluice is ready at ${baseUrl} (keys and addresses: ${folder.standalone})`);
  }, () => undefined);

  let demo: Promise<void> = Promise.resolve();
  lifecycle.add('demo', () => {
    if (!settings.demo || !standalone || standalone.crm_credential_id === null) return;
    const told = runDemo({
      story, standalone, standaloneFile: folder.standalone, file: folder.demo, logFile, signal: leaving.signal,
      runTwoWay: twoWay({ allowed: settings.allowPrivateTargets, file: folder.twoWay, logger, signal: leaving.signal, standalone,
        story }),
    });
    demo = told.catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      logger.error('the demo failed', { error });
      story.tell(`\nThe demo did not finish: ${error instanceof Error ? error.message : String(error)}. Sluice itself goes on.`);
    });
  }, async () => {
    leaving.abort();
    await demo;
  });
  lifecycle.add('readiness', () => undefined, () => {
    story.tell('\nStopping: work in hand is finished first.');
    health.drain();
  });
  const told = (error: unknown): never => {
    story.tell(`Sluice did not start: ${error instanceof Error ? error.message : String(error)}\nMore in ${logFile}`);
    throw error;
  };
  await runUntilSignal({ ...lifecycle, start: () => lifecycle.start().catch(told) }, logger);
}

/** The part of the demo with a shop beside the CRM. What goes wrong in it is told, and ends nothing else. */
function twoWay({ allowed, logger, ...options }: TwoWayOptions & { allowed: boolean; logger: Logger }): () => Promise<void> {
  const { signal, story } = options;
  return async () => {
    if (!allowed) return story.tell('\nThe shop of the two-way demo is left out: SLUICE_ALLOW_PRIVATE_TARGETS is off.');
    await runTwoWay(options).catch((error: unknown) => {
      if (signal.aborted) throw error;
      logger.error('the two-way demo failed', { error });
      story.tell(`\nThe two-way demo did not finish: ${error instanceof Error ? error.message : String(error)}.`);
    });
  };
}

/** How this process reaches its own public address. */
function localAddress(host: string, port: number): string {
  const address = listenAddress(host) ?? '127.0.0.1';
  const reached = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
