import { type Finding, finding, newCredentialHosts } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** Credentials that a publish would send to another host than before, which the organization wants to be confirmed. */
export function credentialHostFindings(config: ConfigDocument, active: ConfigDocument | null): Finding[] {
  return newCredentialHosts(config, active).map(({ credential_name: name, host, source }) =>
    finding({
      severity: 'info', code: 'publish_review_required',
      message: `a publish would send the credential '${name}' to '${host}' (source '${source}')`,
      suggestion: 'Read GET publish-review, and publish with review.draft_version.',
    }));
}
