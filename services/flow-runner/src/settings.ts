import { downloadLimit, fileLimit } from '@sluice/actions';
import { partsSettings } from '@sluice/service-parts';
import { defineSettings, deliveryTimings, networkSettings } from '@sluice/service-kit';

/** What only the flow runner reads. */
export const runnerSettings = defineSettings({
  maxInFlight: {
    env: 'SLUICE_RUNNER_MAX_IN_FLIGHT',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: '4000',
    description:
      'Events under way at once in one flow runner. One connector, and all connectors of one CRM portal, may have half of what is free.',
  },
  leastImportRate: {
    env: 'SLUICE_IMPORT_LEAST_RATE',
    type: 'integer',
    min: 100,
    max: 100_000,
    default: '300',
    description:
      'Rows of bulk imports that one flow runner begins a second in any case while live events come in. More begin as long as these '
      + 'are not delayed by it; as many as come in without any.',
  },
  maxBuffered: {
    env: 'SLUICE_RUNNER_MAX_BUFFERED',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: '4000',
    description:
      'Fetched and unfinished events per partition above which its fetching pauses. ' +
      'All partitions together hold four times as many.',
  },
  maxPerConnector: {
    env: 'SLUICE_RUNNER_MAX_PER_CONNECTOR',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: '1000',
    description: 'Fetched and unfinished events of one connector in a full partition: newer ones are held, so that those of others are read.',
  },
  eventMemoryMb: {
    env: 'SLUICE_RUNNER_EVENT_MEMORY',
    type: 'integer',
    min: 0,
    max: 1_000_000,
    default: '0',
    description:
      'MiB of memory that events may take in one flow runner: three quarters of it those that are fetched and ' +
      'unfinished (fetching pauses above it), a quarter those read from the held store and the blob store. ' +
      '0: a quarter of the largest heap of the process.',
  },
  rememberedMappings: {
    env: 'SLUICE_RUNNER_MAPPINGS',
    type: 'integer',
    min: 1,
    max: 5_000_000,
    default: '20000',
    description:
      'CRM records that a flow runner knows without asking the database, about 1 KB of memory each. ' +
      'At least four for each event under way.',
  },
  echoWindowMs: {
    env: 'SLUICE_ECHO_WINDOW',
    type: 'seconds',
    min: 1,
    max: 86_400,
    default: '900',
    description:
      'How long Sluice remembers what it wrote or sent, to recognize echoes (suppress_echo, freshness_check).',
  },
  crmTimeoutMs: {
    env: 'SLUICE_CRM_TIMEOUT',
    type: 'seconds',
    min: 0.1,
    default: '7',
    description:
      'Longest wait for an answer of the CRM, at most 8: a call ends inside the 10 s for which a runner owns a partition.',
  },
  portalFailingAfterMs: {
    env: 'SLUICE_PORTAL_FAILING_AFTER',
    type: 'seconds',
    min: 1,
    max: 3_600,
    default: '30',
    description:
      'A CRM portal that fails every call for so long (5xx, timeouts; at least 10 calls) is tried by one event at a time. The other events of its connectors wait meanwhile and use up no attempts.',
  },
  lateWriteMs: {
    env: 'SLUICE_CRM_LATE_WRITE',
    type: 'seconds',
    min: 0,
    max: 600,
    default: '20',
    description:
      'How long after it was sent a write that got no answer may still land in the CRM. Until then nothing later of its ' +
      'lane starts. 0, or at least SLUICE_CRM_TIMEOUT.',
  },
  deadCallsMs: {
    env: 'SLUICE_DEAD_RUNNER_CALLS',
    type: 'seconds',
    min: 0,
    max: 10,
    default: '1',
    description:
      'The least time that calls of a flow runner that died are given to end before another one continues its lanes; it is twice '
      + 'its longest call of the last minute when that is more. With 10 the others always wait until its leases of 10 s have ended.',
  },
  crashDeaths: {
    env: 'SLUICE_CRASH_DEATHS',
    type: 'integer',
    min: 2,
    max: 1_000,
    default: '2',
    description:
      'Deaths of flow runners while an event was the only one in hand, after which it ends as quarantined (crashed_runner). '
      + 'Deaths beside other events only isolate it.',
  },
  crashWatchMs: {
    env: 'SLUICE_CRASH_WATCH',
    type: 'seconds',
    min: 0,
    max: 3_600,
    default: '60',
    description: 'How long the events of a partition are watched after a flow runner died. 0: never.',
  },
  traceCharacters: {
    env: 'SLUICE_TRACE_LENGTH',
    type: 'integer',
    min: 1_000,
    max: 1_000_000,
    default: '32768',
    description:
      'Characters that the outputs of all steps of one record may have together in its row (`steps` of a sync event). ' +
      'What is longer is cut where it is longest, and says by how much.',
  },
  keptCharacters: {
    env: 'SLUICE_KEPT_OUTPUT_LENGTH',
    type: 'integer',
    min: 0,
    max: 10_000_000,
    default: '262144',
    description:
      'Characters that the outputs of steps may have together which an event keeps for its next attempt. A longer one is not ' +
      'kept: its step runs again, and later steps see what it then finds.',
  },
  maxFileMb: {
    env: 'SLUICE_FILE_MAX_SIZE',
    type: 'integer',
    min: 1,
    max: 100,
    default: String(fileLimit.max / 1_048_576),
    description: 'MiB of one file that a step uploads or exports. Four of them are in memory at once, beside their events.',
  },
  fileTimeoutMs: {
    env: 'SLUICE_FILE_TIMEOUT',
    type: 'seconds',
    min: 1,
    max: 300,
    default: String(downloadLimit.max / 1_000),
    description: 'Longest time that reading a file from its address may take.',
  },
  targetTimeoutMs: {
    env: 'SLUICE_TARGET_TIMEOUT',
    type: 'seconds',
    min: 0.1,
    max: 8,
    default: '7',
    description:
      'Longest wait for an answer of a REST destination, at most 8: a call ends inside the 10 s for which a runner owns a ' +
      'partition.',
  },
  targetAnswerKb: {
    env: 'SLUICE_TARGET_ANSWER',
    type: 'integer',
    min: 1,
    max: 65_536,
    default: '1024',
    description: 'KiB of an answer of a REST destination that are read; of a longer one only the status is known.',
  },
  targetConnections: {
    env: 'SLUICE_TARGET_CONNECTIONS',
    type: 'integer',
    min: 1,
    max: 1_000,
    default: '16',
    description: 'Requests to one REST destination at once, per flow runner.',
  },
  crmConnections: {
    env: 'SLUICE_CRM_CONNECTIONS',
    type: 'integer',
    min: 1,
    max: 1_000,
    default: '32',
    description: 'Connections to the CRM per flow runner.',
  },
});

/** What flow-runner reads of the environment. */
export const flowRunnerSettings = {
  ...partsSettings,
  ...deliveryTimings,
  ...runnerSettings,
  port: networkSettings.port,
  host: networkSettings.host,
  metricsPort: networkSettings.metricsPort,
} as const;
