import { defineSettings } from '../define-settings';

/** Where plugins run, and what one invocation may use. Times are read as milliseconds. */
export const functionSettings = defineSettings({
  functions: {
    env: 'SLUICE_FUNCTIONS',
    type: 'enum',
    options: ['local', 'lambda'],
    default: 'local',
    needsFor: { lambda: ['SLUICE_LAMBDA_ROLE'] },
    description:
      'Where plugins run: `local`, in sandboxed child processes of each service; `lambda`, on AWS Lambda, with the region and the key '
      + 'of `AWS_REGION` and `AWS_ACCESS_KEY_ID`.',
  },
  functionWallMs: {
    env: 'SLUICE_FUNCTION_TIME',
    type: 'seconds',
    min: 0.05,
    max: 300,
    default: '10',
    description: 'Longest invocation of a plugin.',
  },
  functionMemoryMb: {
    env: 'SLUICE_FUNCTION_MEMORY',
    type: 'integer',
    min: 16,
    max: 1_024,
    default: '128',
    description: 'MiB that one invocation may use.',
  },
  functionResponseBytes: {
    env: 'SLUICE_FUNCTION_RESPONSE',
    type: 'integer',
    min: 1_024,
    max: 5_242_880,
    default: '1048576',
    description: 'Bytes of an answer as JSON.',
  },
  functionLogLines: {
    env: 'SLUICE_FUNCTION_LOG_LINES',
    type: 'integer',
    min: 0,
    max: 10_000,
    default: '200',
    description: 'Lines that one invocation may log.',
  },
  functionLogLineBytes: {
    env: 'SLUICE_FUNCTION_LOG_LINE',
    type: 'integer',
    min: 64,
    max: 65_536,
    default: '2048',
    description: 'Bytes of one line; a longer one is cut.',
  },
  functionFetches: {
    env: 'SLUICE_FUNCTION_FETCHES',
    type: 'integer',
    min: 0,
    max: 1_000,
    default: '20',
    description: 'Calls of `fetch` in one invocation.',
  },
  functionFetchBytes: {
    env: 'SLUICE_FUNCTION_FETCH_SIZE',
    type: 'integer',
    min: 1_024,
    max: 20_971_520,
    default: '1048576',
    description: 'Bytes of a body that `fetch` sends, and of one that it receives.',
  },
  functionFetchTimeoutMs: {
    env: 'SLUICE_FUNCTION_FETCH_TIMEOUT',
    type: 'seconds',
    min: 0.05,
    max: 300,
    default: '7',
    description: 'Longest call of `fetch`.',
  },
  pluginStoreKeys: {
    env: 'SLUICE_PLUGIN_STORE_KEYS',
    type: 'integer',
    min: 0,
    max: 10_000,
    default: '100',
    description: 'Keys of its store that one invocation may read, and values that it may write.',
  },
  pluginStoreValueBytes: {
    env: 'SLUICE_PLUGIN_STORE_VALUE',
    type: 'integer',
    min: 64,
    max: 1_048_576,
    default: '65536',
    description: 'Bytes of one value in the store of a plugin, as JSON.',
  },
  pluginLinesPerHour: {
    env: 'SLUICE_PLUGIN_LOG_LINES_PER_HOUR',
    type: 'integer',
    min: 0,
    default: '10000',
    description: 'Lines of its log that a plugin keeps of one hour.',
  },
});

/** What only the platform `local` reads. */
export const localFunctionSettings = defineSettings({
  functionProcesses: {
    env: 'SLUICE_FUNCTION_PROCESSES',
    type: 'integer',
    min: 1,
    max: 256,
    defaultText: '(unset: two for each CPU, at least 4)',
    description: 'Child processes for plugins in each instance of a service, one organization each. A spare one comes on top.',
  },
  functionProcessesPerOrganization: {
    env: 'SLUICE_FUNCTION_PROCESSES_PER_ORGANIZATION',
    type: 'integer',
    min: 1,
    max: 64,
    default: '2',
    description: 'Child processes of one organization.',
  },
  functionProcessMemoryMb: {
    env: 'SLUICE_FUNCTION_PROCESS_MEMORY',
    type: 'integer',
    min: 256,
    max: 16_384,
    default: '768',
    description: 'MiB that one child process may use: for the memory of several plugins, which it keeps warm.',
  },
  functionBytesPerSecond: {
    env: 'SLUICE_FUNCTION_TRAFFIC',
    type: 'integer',
    min: 65_536,
    default: '1048576',
    description:
      'Bytes a second that the plugins of one organization may exchange with a service whose event loop is busy: payloads, answers, '
      + 'lines of the log, bodies of `fetch`. The first 32 KiB of each invocation do not count. Above it, further invocations of the '
      + 'organization wait.',
  },
  functionComputeMs: {
    env: 'SLUICE_FUNCTION_COMPUTE',
    type: 'integer',
    min: 1,
    max: 1_000_000,
    defaultText: '(unset: 25 for each CPU)',
    description:
      'Milliseconds of processor time a second that the plugins of one organization may compute in each instance of a service, while '
      + 'its event loop is busy and other organizations run plugins too. The first 2 ms of each invocation do not count. Above it, '
      + 'further invocations of the organization wait.',
  },
  functionQueue: {
    env: 'SLUICE_FUNCTION_QUEUE',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: '4000',
    description:
      'Invocations of one organization that may wait for a child process in each instance of a service, with 32 MiB of payloads at most. '
      + 'An event whose invocation finds no room is held for 2 s: below SLUICE_RUNNER_MAX_IN_FLIGHT, a burst of events is slowed down '
      + 'by that.',
  },
  functionWaitMs: {
    env: 'SLUICE_FUNCTION_WAIT',
    type: 'seconds',
    min: 0.05,
    max: 300,
    default: '10',
    description: 'How long an invocation may wait for a child process.',
  },
  functionIdleMs: {
    env: 'SLUICE_FUNCTION_IDLE',
    type: 'seconds',
    min: 1,
    default: '300',
    description: 'A child process without work for this long ends.',
  },
});

/** What only the platform `lambda` reads. */
export const lambdaFunctionSettings = defineSettings({
  lambdaRole: {
    env: 'SLUICE_LAMBDA_ROLE',
    type: 'string',
    description:
      'ARN of the role that functions run as: `arn:aws:iam::<account>:role/<name>`. It needs no right but to write its own log.',
  },
  lambdaEndpoint: {
    env: 'SLUICE_LAMBDA_ENDPOINT',
    type: 'url',
    description: 'Address of a service with the API of Lambda that is not AWS.',
  },
  lambdaTimeoutMs: {
    env: 'SLUICE_LAMBDA_TIMEOUT',
    type: 'seconds',
    min: 1,
    max: 300,
    default: '30',
    description: 'Longest call that creates or changes a function, and longest wait until the change is in effect.',
  },
});
