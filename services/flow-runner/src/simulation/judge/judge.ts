import { judgeFinalState, judgeLateWrites } from './judge-final-state';
import { judgeMarks } from './judge-marks';
import { judgeOrder } from './judge-order';
import { judgeOutcomes } from './judge-outcomes';
import { judgePrompt } from './judge-prompt';
import { judgeTickets } from './judge-tickets';
import { judgeCaps } from './judge-caps';
import { judgeReplayJobs } from './judge-replay-jobs';
import { judgeTold } from './judge-told';
import { judgeVersions } from './judge-versions';
import { trialOf, type Finished } from './trial';

/** Checks a finished run against what is promised (docs/guarantees.md). Throws on the first broken promise. */
export function judge(run: Finished): void {
  const trial = trialOf(run);
  judgeOutcomes(trial);
  judgeTickets(trial);
  judgeLateWrites(trial);
  judgeOrder(trial);
  judgeFinalState(trial);
  judgeVersions(trial);
  judgeMarks(trial);
  judgeTold(trial);
  judgePrompt(trial);
  judgeCaps(trial);
  judgeReplayJobs(trial);
}
