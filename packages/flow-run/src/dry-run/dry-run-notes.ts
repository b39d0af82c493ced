/** The dry run's flags of a step beside its report, as in the route's contract. */
export interface StepFlags {
  not_executed?: true;
  not_executed_reason?: string;
  stubbed_external_response?: true;
  simulated_identity?: true;
  simulated_identity_note?: string;
  simulated_existing_record?: true;
}

/** The request that would be sent. */
export type DryRequest = Record<string, unknown>;

interface StepNote {
  action: string;
  requests: DryRequest[];
  flags: StepFlags;
  /** Why it is unknown whether the step would do anything. */
  notVerifiable: string | null;
}

/** What the stubs note of the step that is running. */
export class DryRunNotes {
  private readonly notes = new Map<string, StepNote>();
  private current: StepNote = { action: '', requests: [], flags: {}, notVerifiable: null };

  begin(id: string, action: string): void {
    this.current = { action, requests: [], flags: {}, notVerifiable: null };
    this.notes.set(id, this.current);
  }

  /** Of the step that is running. */
  get action(): string {
    return this.current.action;
  }

  request(request: DryRequest): void {
    this.current.requests.push(request);
  }

  flag(flags: StepFlags): void {
    Object.assign(this.current.flags, flags);
  }

  /** Only the main purpose of a step can make it unverifiable, not associations beside a record write. */
  cannotVerify(reason: string): void {
    if (this.current.action.startsWith('associate')) this.current.notVerifiable = reason;
  }

  of(id: string): StepNote | undefined {
    return this.notes.get(id);
  }
}
