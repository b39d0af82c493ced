import type { CallOptions, CrmAccess, CrmResult } from '../crm-client';
import type {
  CrmDefinitionCalls, CrmObjectSchema, CrmPipeline, CrmPipelineStage, NewCrmPipelineStage,
} from '../crm-definitions';
import { CrmRefusal, type MemoryObjectType, refusal } from './memory-crm-portal';

/** How the twin makes a call: counted, in trouble or not, with the outcome of the work. */
export type MemoryCall = <T>(
  method: keyof CrmDefinitionCalls, access: CrmAccess, objectType: string | null, given: CallOptions, work: () => T,
) => Promise<CrmResult<T>>;

const refuse = (...problem: Parameters<typeof refusal>): never => {
  throw new CrmRefusal(refusal(...problem));
};
const absent = { status: 404, category: 'OBJECT_NOT_FOUND' };
const taken = (label: string): never => refuse(`${label} exists already`, { status: 409, category: 'CONFLICT' });

/** Deals and tickets have pipelines from the start, custom types may get some. */
const withPipelines = /^(deals|tickets|p\d+_.*)$/;

/** Custom object types and pipelines of the twin; a new type is an object type like any other. */
export function createMemoryDefinitions(
  portalId: string,
  types: Map<string, MemoryObjectType>,
  call: MemoryCall,
): CrmDefinitionCalls {
  const schemas = new Map<string, CrmObjectSchema>();
  const pipelines = new Map<string, CrmPipeline[]>();
  let lastId = 1_000;
  const stageOf = (stage: NewCrmPipelineStage): CrmPipelineStage => ({ ...stage, id: String((lastId += 1)) });
  const pipelinesOf = (objectType: string): CrmPipeline[] => {
    if (!types.has(objectType) || !withPipelines.test(objectType)) refuse(`${objectType} does not support pipelines`);
    const known = pipelines.get(objectType) ?? [];
    pipelines.set(objectType, known);
    return known;
  };
  return {
    objectSchema: (access, objectType, given) => call('objectSchema', access, objectType, given, () =>
      schemas.get(objectType) ?? refuse(`Object schema ${objectType} does not exist`, absent)),
    createObjectSchema: (access, schema, given) => call('createObjectSchema', access, schema.name, given, () => {
      const fullyQualifiedName = `p${portalId}_${schema.name}`;
      if (schemas.has(fullyQualifiedName)) taken(`schema ${schema.name}`);
      const group = `${schema.name}_information`;
      const made = { name: schema.name, objectTypeId: `2-${(lastId += 1)}`, fullyQualifiedName };
      const properties = schema.properties.map((one) => ({ hasUniqueValue: false, groupName: group, ...one, readOnly: false }));
      schemas.set(fullyQualifiedName, made);
      types.set(fullyQualifiedName, {
        name: fullyQualifiedName, required: schema.requiredProperties.map((name) => [name]),
        groups: new Map([[group, schema.name]]), records: new Map(),
        properties: new Map(properties.map((one) => [one.name, one])),
      });
      return made;
    }),
    pipelines: (access, objectType, given) =>
      call('pipelines', access, objectType, given, () => structuredClone(pipelinesOf(objectType))),
    createPipeline: (access, objectType, pipeline, given) => call('createPipeline', access, objectType, given, () => {
      const known = pipelinesOf(objectType);
      if (known.some(({ label }) => label === pipeline.label)) taken(`a pipeline with the label ${pipeline.label}`);
      const made = { ...pipeline, id: String((lastId += 1)), stages: pipeline.stages.map(stageOf) };
      known.push(made);
      return structuredClone(made);
    }),
    createPipelineStage: (access, type, id, stage, given) => call('createPipelineStage', access, type, given, () => {
      const pipeline = pipelinesOf(type).find((one) => one.id === id);
      if (!pipeline) return refuse(`Pipeline ${id} does not exist`, absent);
      if (pipeline.stages.some(({ label }) => label === stage.label)) taken(`a stage with the label ${stage.label}`);
      const made = stageOf(stage);
      pipeline.stages.push(made);
      return { ...made };
    }),
  };
}
