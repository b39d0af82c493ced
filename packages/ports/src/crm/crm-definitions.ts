import type { CallOptions, CrmAccess, CrmResult } from './crm-call';

/** A custom object type as the portal names it (docs/reference/crm-api.md, Custom object schemas). */
export interface CrmObjectSchema {
  name: string;
  /** `2-<number>`. */
  objectTypeId: string;
  /** `p<portalId>_<name>`. */
  fullyQualifiedName: string;
}

/** A property of a schema that is being created: without a group it goes into the type's own. */
export type NewSchemaProperty = Omit<CrmPropertyDefinition, 'groupName'> & { groupName?: string };

export interface NewCrmObjectSchema {
  name: string;
  labels: { singular: string; plural: string };
  primaryDisplayProperty: string;
  requiredProperties: string[];
  properties: NewSchemaProperty[];
  associatedObjects: string[];
}

export interface NewCrmPipelineStage {
  label: string;
  displayOrder: number;
  /** Deals: `probability`, `"0.0"` to `"1.0"`; tickets: `ticketState`. */
  metadata: Record<string, string>;
}

export type CrmPipelineStage = NewCrmPipelineStage & { id: string };

export interface NewCrmPipeline {
  label: string;
  displayOrder: number;
  stages: NewCrmPipelineStage[];
}

export interface CrmPipeline {
  id: string;
  label: string;
  displayOrder: number;
  stages: CrmPipelineStage[];
}

/** The calls about what a portal is made of, beside its properties: custom object types and pipelines. */
export interface CrmDefinitionCalls {
  /** One that does not exist: permanent, `crm_not_found`. */
  objectSchema(access: CrmAccess, objectType: string, options: CallOptions): Promise<CrmResult<CrmObjectSchema>>;
  /** One whose name is taken: permanent, `crm_conflict`. */
  createObjectSchema(
    access: CrmAccess, schema: NewCrmObjectSchema, options: CallOptions,
  ): Promise<CrmResult<CrmObjectSchema>>;
  /** With their stages, in the portal's order. An object type without pipelines: permanent, `crm_rejected`. */
  pipelines(access: CrmAccess, objectType: string, options: CallOptions): Promise<CrmResult<CrmPipeline[]>>;
  /** With its stages, all or nothing. A label that is taken: permanent, `crm_conflict`. */
  createPipeline(
    access: CrmAccess, objectType: string, pipeline: NewCrmPipeline, options: CallOptions,
  ): Promise<CrmResult<CrmPipeline>>;
  /** A label that is taken in the pipeline: permanent, `crm_conflict`. */
  createPipelineStage(
    access: CrmAccess, objectType: string, pipelineId: string, stage: NewCrmPipelineStage, options: CallOptions,
  ): Promise<CrmResult<CrmPipelineStage>>;
}

export interface CrmPropertyOption {
  label: string;
  value: string;
  displayOrder?: number;
  hidden?: boolean;
}

export interface CrmPropertyDefinition {
  name: string;
  label: string;
  type: string;
  fieldType: string;
  groupName: string;
  options?: CrmPropertyOption[];
  hasUniqueValue?: boolean;
  readOnly?: boolean;
  externalOptions?: boolean;
  /** Only the CRM defines the options, as with pipelines and their stages. */
  readOnlyOptions?: boolean;
}
