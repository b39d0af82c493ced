import { configEquals } from '@sluice/config-model';
import {
  authoredPlugin, type ConfigDocument, hasPlugins, pluginNames, type Step, volumeLimits, withoutCoordinates,
} from '@sluice/contracts';
import type { ConnectorRow, DraftRow, VersionRow } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { type LimitCode, limitError } from '../../limits/limit-error';
import { sourcesRefusal, type SourcesDeps } from '../../plan/sources-refusal';
import { upgradeUrl } from '../../plan/upgrade-url';

/** What a publish is asked for. */
export interface PublishSubject {
  principal: Principal;
  connector: ConnectorRow;
  draft: DraftRow;
  /** The active version. */
  active: (VersionRow & { config: unknown }) | null;
}

type Refusal = (deps: SourcesDeps, subject: PublishSubject) => HttpError | null | Promise<HttpError | null>;

/** Reasons that a publish tells before it checks the document. */
const first: readonly Refusal[] = [baseIsStale, pluginsAreNotAllowed];
/** Reasons that it tells once the document has none. */
const second: readonly Refusal[] = [tooManyFlows, tooManySteps, sourcesRefused];

/**
 * Why a publish is refused for its base and its plan, whatever document and portal say: all reasons, in the order in which
 * a publish throws the first of them, before and after its check of the document. A preflight lists them: the two cannot differ.
 */
export async function publishRefusals(
  deps: SourcesDeps,
  subject: PublishSubject,
): Promise<{ beforeCheck: HttpError[]; afterCheck: HttpError[] }> {
  const found = async (refusals: readonly Refusal[]): Promise<HttpError[]> =>
    (await Promise.all(refusals.map((refusal) => refusal(deps, subject)))).flatMap((error) => error ?? []);
  return { beforeCheck: await found(first), afterCheck: await found(second) };
}

/** Whether the draft is the active version: publishing it again changes nothing. */
export const isPublished = ({ draft, active }: Pick<PublishSubject, 'draft' | 'active'>): boolean =>
  active !== null && configEquals(withoutCoordinates(draft.config as ConfigDocument), active.config);

export const staleBase = (baseVersion: number, activeVersion: number): HttpError =>
  apiError('stale_base_version', {
    message: 'A version was published since this draft was based: reset the draft or review it again.',
    base_version: baseVersion,
    active_version: activeVersion,
  });

function baseIsStale(_deps: SourcesDeps, { draft, active }: PublishSubject): HttpError | null {
  const activeVersion = active?.version ?? 0;
  return draft.baseVersion === activeVersion ? null : staleBase(draft.baseVersion, activeVersion);
}

/** What the active version runs goes on after a move to a plan without plugins, and stays editable; nothing is added. */
function pluginsAreNotAllowed(
  deps: SourcesDeps, { principal: { organization }, draft, active }: PublishSubject,
): HttpError | null {
  if (hasPlugins(organization.tier)) return null;
  const running = active ? pluginNames(active.config as ConfigDocument) : [];
  const isNew = (step: Step): boolean => step.action === 'plugin' && !running.includes(authoredPlugin(step)?.logicalName ?? '');
  const { flows } = draft.config as ConfigDocument;
  return flows.some(({ steps }) => steps.some(isNew))
    ? limitError('plugin_system_not_allowed', organization, upgradeUrl(deps))
    : null;
}

function tooManyFlows(deps: SourcesDeps, subject: PublishSubject): HttpError | null {
  const { flows_limit: limit } = volumeLimits(subject.principal.organization);
  return overVolume(deps, subject, 'flow_limit_reached', limit, ({ flows }) => flows.length);
}

function tooManySteps(deps: SourcesDeps, subject: PublishSubject): HttpError | null {
  const { steps_limit: limit } = volumeLimits(subject.principal.organization);
  return overVolume(deps, subject, 'step_limit_reached', limit, ({ flows }) =>
    flows.reduce((sum, { steps }) => sum + steps.length, 0));
}

/**
 * A config over the limits of the plan may stay as it is and shrink, not grow. The active version cannot change meanwhile: that
 * would be a stale base.
 */
function overVolume(
  deps: SourcesDeps,
  { principal: { organization }, draft, active }: PublishSubject,
  code: LimitCode,
  limit: number | null,
  count: (document: ConfigDocument) => number,
): HttpError | null {
  const usage = count(draft.config as ConfigDocument);
  const grows = usage > (active ? count(active.config as ConfigDocument) : 0);
  return limit !== null && usage > limit && grows ? limitError(code, organization, upgradeUrl(deps), { limit, usage }) : null;
}

function sourcesRefused(deps: SourcesDeps, { principal, connector, draft }: PublishSubject): Promise<HttpError | null> {
  return sourcesRefusal(deps, principal, connector.id, draft.config as ConfigDocument);
}
