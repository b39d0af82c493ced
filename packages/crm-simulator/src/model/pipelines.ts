/** A stage of a pipeline. Times are epoch ms. */
export interface Stage {
  readonly id: string;
  readonly label: string;
  readonly displayOrder: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
}

/** A pipeline with its stages by id. */
export interface Pipeline {
  readonly id: string;
  readonly label: string;
  readonly displayOrder: number;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
}

type DefaultStage = readonly [id: string, label: string, metadata: Record<string, string>];

const dealStage = (id: string, label: string, probability: string): DefaultStage =>
  [id, label, { probability, isClosed: String(probability === '1.0' || probability === '0.0') }];
const ticketStage = (id: string, label: string, ticketState: string): DefaultStage => [
  id,
  label,
  { ticketState, isClosed: String(ticketState === 'CLOSED') },
];

/** The pipelines the CRM ships with (docs/reference/crm-api.md, Pipelines). */
const defaults: Readonly<Record<string, { id: string; label: string; stages: readonly DefaultStage[] }>> = {
  '0-3': {
    id: 'default',
    label: 'Sales Pipeline',
    stages: [
      dealStage('appointmentscheduled', 'Appointment Scheduled', '0.2'),
      dealStage('qualifiedtobuy', 'Qualified To Buy', '0.4'),
      dealStage('presentationscheduled', 'Presentation Scheduled', '0.6'),
      dealStage('decisionmakerboughtin', 'Decision Maker Bought-In', '0.8'),
      dealStage('contractsent', 'Contract Sent', '0.9'),
      dealStage('closedwon', 'Closed Won', '1.0'),
      dealStage('closedlost', 'Closed Lost', '0.0'),
    ],
  },
  '0-5': {
    id: '0',
    label: 'Support Pipeline',
    stages: [
      ticketStage('1', 'New', 'OPEN'),
      ticketStage('2', 'Waiting on contact', 'OPEN'),
      ticketStage('3', 'Waiting on us', 'OPEN'),
      ticketStage('4', 'Closed', 'CLOSED'),
    ],
  },
  '0-123': {
    id: 'order-pipeline',
    label: 'Order Pipeline',
    stages: [
      ['open', 'Open', {}],
      ['processed', 'Processed', {}],
      ['shipped', 'Shipped', {}],
      ['delivered', 'Delivered', {}],
      ['cancelled', 'Cancelled', {}],
    ],
  },
  '0-136': {
    id: 'lead-pipeline-id',
    label: 'Lead pipeline',
    stages: [
      ['new-stage-id', 'New', {}],
      ['attempting-stage-id', 'Attempting', {}],
      ['connected-stage-id', 'Connected', {}],
      ['qualified-stage-id', 'Qualified', {}],
      ['unqualified-stage-id', 'Unqualified', {}],
    ],
  },
};

/** A type's pipelines in a new portal; most types have none. */
export function startingPipelines(typeId: string, now: number): Map<string, Pipeline> {
  const given = defaults[typeId];
  if (!given) return new Map();
  const stages = new Map(given.stages.map(([id, label, metadata], displayOrder): [string, Stage] =>
    [id, { id, label, displayOrder, metadata, createdAt: now, updatedAt: now, archived: false }]));
  return new Map([
    [given.id, { id: given.id, label: given.label, displayOrder: 0, stages, createdAt: now, updatedAt: now, archived: false }],
  ]);
}
