import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@sluice/ports';
import { createMemoryFunctionCode } from '@sluice/ports/testing';
import { parseSettings } from '@sluice/service-kit';
import { openFunctions } from './open-functions';
import { functionPartsSettings } from './parts-settings';

const open = (env: Record<string, string>) =>
  openFunctions(parseSettings(functionPartsSettings, env, [], { weakSecrets: 'taken' }), {
    store: createMemoryFunctionCode(), logger: silentLogger,
  });

describe('lambda functions', () => {
  it('SLUICE_FUNCTIONS=lambda runs plugins there, with the role, the endpoint and the key of the settings', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization?.split(',')[0]);
      response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const functions = open({
      SLUICE_FUNCTIONS: 'lambda', SLUICE_LAMBDA_ROLE: 'arn:aws:iam::123456789012:role/plugins', AWS_REGION: 'eu-central-1',
      SLUICE_LAMBDA_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'the-secret-of-the-key',
    });
    const organizationId = '00000000-0000-4000-8000-000000000001';
    const functionArn = functions.arnOf({ organizationId, pluginId: '00000000-0000-4000-8000-000000000002', developerId: null });
    expect(functionArn).toMatch(/^arn:aws:lambda:eu-central-1:123456789012:function:sluice-/);
    expect(await functions.has({ organizationId, functionArn, qualifier: 1 })).toBe(false);
    await functions.close();
    server.close();
    expect(asked).toEqual([expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=key\/[0-9]{8}\/eu-central-1\/lambda\//)]);
  });

  it('needs the role', () => {
    expect(() => open({ SLUICE_FUNCTIONS: 'lambda' })).toThrow('SLUICE_FUNCTIONS needs SLUICE_LAMBDA_ROLE beside it');
  });
});
