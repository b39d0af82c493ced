import type { UnitKey } from './unit-key';
import { unitKeyText } from './unit-key';

/**
 * A set of events that wait together in the held store (ADR 0005): one event alone, the events of a flow in a lane, all events of
 * a lane, or all events of a connector.
 */
export type ScopeId =
  | { readonly kind: 'event'; readonly unit: UnitKey }
  | { readonly kind: 'flow'; readonly lane: string; readonly flowName: string }
  | { readonly kind: 'lane'; readonly lane: string }
  | { readonly kind: 'connector'; readonly connectorId: string };

export const eventScope = (unit: UnitKey): ScopeId => ({ kind: 'event', unit });
export const flowScope = (lane: string, flowName: string): ScopeId => ({ kind: 'flow', lane, flowName });
export const laneScope = (lane: string): ScopeId => ({ kind: 'lane', lane });
export const connectorScope = (connectorId: string): ScopeId => ({ kind: 'connector', connectorId });

/** The text of a scope in stores, map keys and log lines. Only `scopeText` makes one. */
export type ScopeText = string & { readonly scopeText: true };

export const scopeText = (scope: ScopeId): ScopeText => textOf(scope) as ScopeText;

function textOf(scope: ScopeId): string {
  switch (scope.kind) {
    case 'event':
      return `event:${unitKeyText(scope.unit)}`;
    case 'flow':
      return `flow:${scope.lane}|${scope.flowName}`;
    case 'lane':
      return `lane:${scope.lane}`;
    case 'connector':
      return `connector:${scope.connectorId}`;
  }
}

export function sameScope(one: ScopeId, other: ScopeId): boolean {
  switch (one.kind) {
    case 'event':
      return other.kind === 'event' && unitKeyText(one.unit) === unitKeyText(other.unit);
    case 'flow':
      return other.kind === 'flow' && one.lane === other.lane && one.flowName === other.flowName;
    case 'lane':
      return other.kind === 'lane' && one.lane === other.lane;
    case 'connector':
      return other.kind === 'connector' && one.connectorId === other.connectorId;
  }
}

const flowShape = /^flow:(?<lane>.*)\|(?<flowName>[^|]*)$/su;
const eventShape = /^event:(?<eventId>[^/]+)\/(?<entityIndex>\d+)\/(?<run>.+)$/su;
const otherShape = /^(?<kind>lane|connector):(?<name>.*)$/su;

/** The scope that `scopeText` wrote. A lane may contain any character; the name of a flow contains no `|`. */
export function parseScope(text: string): ScopeId {
  const { lane = '', flowName } = flowShape.exec(text)?.groups ?? {};
  if (flowName !== undefined) return flowScope(lane, flowName);
  const { eventId = '', entityIndex = '', run } = eventShape.exec(text)?.groups ?? {};
  if (run !== undefined) return eventScope({ eventId, entityIndex: Number(entityIndex), run });
  const { kind, name = '' } = otherShape.exec(text)?.groups ?? {};
  if (kind === undefined) throw new Error(`not a held scope: ${text}`);
  return kind === 'lane' ? laneScope(name) : connectorScope(name);
}
