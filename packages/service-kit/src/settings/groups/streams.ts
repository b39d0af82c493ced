import { defineSettings } from '../define-settings';

/** Bounds of what a service with routes sends and receives as streams. */
export const streamSettings = defineSettings({
  maxStreams: {
    env: 'SLUICE_MAX_STREAMS',
    type: 'integer',
    min: 4,
    max: 100_000,
    default: '1000',
    description: 'Uploads, downloads and event streams that an instance has under way at once; one caller (an IPv4 address, an IPv6 /64 network) a quarter of them.',
  },
  streamIdleMs: {
    env: 'SLUICE_STREAM_IDLE',
    type: 'seconds',
    min: 1,
    max: 3_600,
    default: '60',
    description: 'After this time without progress a stream is cut: a download of which nothing is read, an upload that brings less than 64 KiB.',
  },
  streamHeartbeatMs: {
    env: 'SLUICE_STREAM_HEARTBEAT',
    type: 'seconds',
    min: 0.1,
    max: 3_600,
    default: '15',
    description: 'An event stream carries a comment after this time without an event.',
  },
  streamDrainMs: {
    env: 'SLUICE_STREAM_DRAIN',
    type: 'seconds',
    min: 0,
    max: 19,
    default: '10',
    description: 'How long uploads and downloads under way may go on when the instance stops. Event streams end at once.',
  },
});
