export type { BodyBounds } from './body-stream';
export type { StreamLimits } from './open-streams';
export type { FileSink, FormReader, IncomingFile, ReceivedForm } from './receive-form';
export type { FileReply, ServerEvent } from './stream-reply';
