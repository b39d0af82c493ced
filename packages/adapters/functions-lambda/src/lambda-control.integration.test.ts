import { describeWithAws, startAws, type TestAws } from '@sluice/testkit';
import { codeArchive } from './code-archive';
import { LambdaClients } from './lambda-client';
import { LambdaControl } from './lambda-control';

const region = 'us-east-1';
const name = 'sluice-organization-plugin';
const [one, two] = ['exports.handler = async () => 1;', 'exports.handler = async () => 2;'];

/** A stand-in that is not ours: it stores what it was sent and shows it as Lambda does. */
describeWithAws('control calls', () => {
  let aws: TestAws;
  let clients: LambdaClients;
  let role: string;
  const controlOf = (memoryMb = 256) =>
    new LambdaControl(clients, { shape: { role, timeoutS: 12, memoryMb }, timeoutMs: 60_000, pollMs: 10 });

  beforeAll(async () => {
    aws = await startAws();
    role = await aws.makeRole('plugins');
    clients = new LambdaClients({ region, endpoint: aws.url, credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } });
  }, 240_000);
  afterAll(async () => {
    await clients?.close();
    await aws?.stop();
  });
  afterEach(() => controlOf().remove(name), 60_000);

  it('create a function with the configuration of the settings, and change it when they changed', async () => {
    const control = controlOf();
    expect(await control.configuration(name)).toBeNull();
    await control.ensure(name);
    await control.ensure(name);
    expect(await control.configuration(name)).toMatchObject({
      Role: role, Timeout: 12, MemorySize: 256, Runtime: 'nodejs22.x', Handler: 'index.handler',
      CodeSha256: (await codeArchive(null)).sha256,
    });
    await controlOf(512).ensure(name);
    expect(await control.configuration(name)).toMatchObject({ MemorySize: 512 });
  }, 60_000);

  it('publish numbered versions, which are found by their operation and keep their code', async () => {
    const control = controlOf();
    await control.ensure(name);
    const archives = [await codeArchive(one, 'first'), await codeArchive(two, 'second')] as const;
    await control.replaceCode(name, archives[0]);
    expect(await control.publish(name, archives[0], 'first')).toBe(1);
    await control.replaceCode(name, archives[1]);
    expect(await control.publish(name, archives[1], 'second')).toBe(2);
    expect([await control.versionOf(name, 'first'), await control.versionOf(name, 'second')]).toEqual([1, 2]);
    expect(await control.versionOf(name, 'third')).toBeNull();
    expect(await control.configuration(name, '1')).toMatchObject({ Version: '1', CodeSha256: archives[0].sha256 });
    expect(await control.configuration(name, '3')).toBeNull();
  }, 60_000);

  it('remove a function with its versions, and one that is not there', async () => {
    const control = controlOf();
    await control.ensure(name);
    const archive = await codeArchive(one, 'first');
    await control.replaceCode(name, archive);
    await control.publish(name, archive, 'first');
    await control.remove(name);
    await control.remove(name);
    expect([await control.configuration(name), await control.configuration(name, '1')]).toEqual([null, null]);
    expect(await control.versionOf(name, 'first')).toBeNull();
  }, 60_000);
});
