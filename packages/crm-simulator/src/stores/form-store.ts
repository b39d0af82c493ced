import { refill } from './refill';

export interface FormField {
  readonly objectTypeId: string;
  readonly name: string;
  readonly required: boolean;
  readonly fieldType: string;
}

export interface FormDefinition {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly FormField[];
  /** The answer of a submission. */
  readonly after: { readonly type: 'thank_you' | 'redirect_url'; readonly value: string };
  /** The body of its creation. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
}

export interface FormSubmission {
  readonly formId: string;
  readonly at: number;
  readonly values: readonly { readonly objectTypeId: string; readonly name: string; readonly value: string }[];
}

export interface FormDump {
  readonly forms: ReadonlyMap<string, FormDefinition>;
  readonly submissions: readonly FormSubmission[];
}

/** The forms of a portal and their submissions. */
export class FormStore {
  readonly forms = new Map<string, FormDefinition>();
  readonly submissions: FormSubmission[] = [];

  dump(): FormDump {
    return { forms: this.forms, submissions: this.submissions };
  }

  load(dump: FormDump): void {
    refill(this.forms, dump.forms);
    this.submissions.splice(0, this.submissions.length, ...dump.submissions);
  }
}
