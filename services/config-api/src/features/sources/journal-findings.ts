import { type Finding, finding } from '@sluice/config-model';
import { journalOffsetExpired, type SourceState } from '@sluice/ports';

/** One warning for each source that has lost its place in the CRM's journal and whose owner has not confirmed it. */
export const journalFindings = (sources: readonly SourceState[]): Finding[] =>
  sources.filter(({ lastError, type }) => type === 'crm' && lastError === journalOffsetExpired).map(({ name }) =>
    finding({
      severity: 'warning', code: journalOffsetExpired,
      message: `the source '${name}' has lost its place in the journal of the CRM: changes of some time are missing`,
      suggestion: `Synchronize what may be missing, then POST sources/${name}/resume.`,
    }));
