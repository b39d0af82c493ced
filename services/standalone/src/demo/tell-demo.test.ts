import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StandaloneFile, writeStandaloneFile } from '../standalone-file';
import { tellWhatToTry } from './tell-demo';

const standalone: StandaloneFile = {
  base_url: 'http://localhost:8080',
  crm_simulator_url: 'http://127.0.0.1:8090',
  operator_token: 'operator-secret',
  organization_id: 'o',
  organization_api_key: 'organization-secret',
  crm_credential_id: 'cr',
  connector_id: 'c',
  connector_api_key: 'connector-secret',
  owner: { email: 'owner@demo.example', password: "it's-secret" },
  pid: 1,
};
let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), "sluice's-")); });
afterEach(() => rmSync(folder, { recursive: true }));

function told(live: boolean): string {
  const lines: string[] = [];
  const standaloneFile = join(folder, 'standalone.json');
  writeStandaloneFile(standaloneFile, standalone);
  tellWhatToTry(
    { live, tell: (text = '') => void lines.push(text) },
    { standalone, standaloneFile, example: { event_id: 'evt_1', record: 'SH-1' }, logFile: '/data/logs/sluice.log' },
  );
  return lines.join('\n');
}

it('shows keys and passwords on a terminal', () => {
  expect(told(true)).toMatch(/connector-secret[^]*it's-secret/);
});

it('shows none elsewhere: its lines read them from the file, which is named', () => {
  const text = told(false);
  expect(text).not.toMatch(/-secret/);
  expect(text).toContain(join(folder, 'standalone.json'));
  const line = (start: string): string => text.split('\n').find((one) => one.trim().startsWith(start))!.trim();
  const inShell = (script: string): string => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  expect(inShell(`${line('KEY=')}; printf %s "$KEY"`)).toBe('connector-secret');
  const login = line("curl -s -H 'content-type: application/json' http://localhost:8080/api/auth/login");
  expect(JSON.parse(inShell(login.replace(/^curl .*? -d /, 'printf %s ')))).toEqual(standalone.owner);
});
