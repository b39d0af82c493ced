import { Presets, SingleBar } from 'cli-progress';
import type { Story } from '../story/create-story';

/** How far a piece of work is. */
export interface Progress {
  step(): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line at each quarter. */
export function startProgress(story: Story, label: string, total: number): Progress {
  if (story.live) {
    const bar = new SingleBar(
      { format: `  ${label.padEnd(10)} {bar} {value}/{total}`, stream: process.stdout, hideCursor: true, clearOnComplete: false },
      Presets.shades_classic,
    );
    bar.start(total, 0);
    return { step: () => bar.increment(), end: () => bar.stop() };
  }
  let done = 0;
  const quarter = Math.max(1, Math.ceil(total / 4));
  return {
    step: () => {
      done += 1;
      if (done % quarter === 0 || done === total) story.tell(`  ${label} ${done}/${total}`);
    },
    end: () => undefined,
  };
}
