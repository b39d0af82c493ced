import { type OpenReader, TopicReader, type TopicReaderOptions } from './topic-reader';

/** A reader that tells when it has handed over what the topic held when it was opened. */
export interface OpenFollower extends OpenReader {
  readonly caughtUp: Promise<void>;
}

/** Follows a topic until it is stopped; `start` resolves when the topic has been handed over once, by whichever follower. */
export class TopicFollower<R extends OpenFollower> extends TopicReader<R> {
  private readonly caughtUp: Promise<void>;

  constructor(options: TopicReaderOptions<R>) {
    let catchUp: () => void = () => undefined;
    const open = async (): Promise<R> => {
      const follower = await options.open();
      void follower.caughtUp.then(catchUp);
      return follower;
    };
    super({ ...options, open });
    this.caughtUp = new Promise<void>((resolve) => (catchUp = resolve));
  }

  override async start(): Promise<void> {
    await super.start();
    await this.caughtUp;
  }
}
