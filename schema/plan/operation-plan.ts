import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLID,
  GraphQLIncludeDirective,
  GraphQLInt,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  GraphQLString,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { lengthOf } from '../../src/limits/answer-text.ts';
import { type FormStore, MIN_STORED, RecordForms } from './forms.ts';

/** Coerced variables. */
export type Variables = { readonly [name: string]: unknown };
export type Arguments = { readonly [name: string]: unknown };

/** How to complete a value of one type at one place of a document. */
export interface ValuePlan {
  kind: 'leaf' | 'list' | 'object' | 'abstract';
  /** The type without its non-null wrapper. */
  type: GraphQLOutputType;
  isNonNull: boolean;
  /** Plan of the items, for a list. */
  item: ValuePlan | null;
  /** Plans by concrete type, for an object or abstract type. Created with the first value of each type. */
  selections: Map<GraphQLObjectType, SelectionPlan> | null;
  nodes: readonly FieldNode[];
  /** Type of the values that a leaf type serializes as they are, without a call of `serialize`; null for other types. */
  serialized: 'string' | 'boolean' | 'int32' | null;
}

/** One field of the response: everything that does not change between runs. */
export interface FieldPlan {
  responseName: string;
  parentType: GraphQLObjectType;
  definition: GraphQLField<unknown, unknown>;
  /** The property of the source that the field returns; null if it has another resolver or arguments. */
  property: string | null;
  nodes: readonly FieldNode[];
  value: ValuePlan;
  /** Coerces the arguments. @throws {GraphQLError} if the variables make them invalid */
  argumentsOf: (variables: Variables) => Arguments;
}

/** The fields of a selection set on one object type. */
export interface SelectionPlan {
  type: GraphQLObjectType;
  fields: readonly FieldPlan[];
  /** An object with all response names in order. Results copy it, so that they share one V8 hidden class. */
  template: { readonly [responseName: string]: undefined };
  /** Characters of the JSON of an object without its strings, lists and objects. */
  length: number;
  /** null for a selection of so few fields that a form would save nothing. */
  forms: RecordForms<FieldPlan> | null;
}

export interface OperationPlan {
  root: SelectionPlan;
  /** The plan of the fields selected on a value of `type`. */
  selectionOf(value: ValuePlan, type: GraphQLObjectType): SelectionPlan;
  /** Estimated heap size. It grows as further selections are planned. */
  bytes(): number;
}

/** Heap of a field plan with its value plan, argument reader and entries in lists and maps. */
const FIELD_BYTES = 1_024;
/** Heap of a selection plan, or of a reference to a shared one. */
const SELECTION_BYTES = 512;

export interface OperationPlanOptions {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: { readonly [name: string]: FragmentDefinitionNode };
  /** Variables of `@skip` and `@include`. The plan is valid for runs with the same values. */
  variables: Variables;
  /** Whether the document is part of the gateway. */
  isOwn: boolean;
  forms: FormStore;
}

/**
 * Plans a valid operation. Selections are planned with the first value of their type. Selection sets with the same
 * fields, such as spreads of one fragment, share one plan.
 */
export function planOperation({
  schema,
  operation,
  fragments,
  variables,
  isOwn,
  forms: store,
}: OperationPlanOptions): OperationPlan {
  const shared = new Map<string, SelectionPlan>();
  const ids = new Map<FieldNode, number>();
  let bytes = 0;
  const idOf = (node: FieldNode): number => {
    let id = ids.get(node);
    if (id === undefined) {
      id = ids.size;
      ids.set(node, id);
    }
    return id;
  };

  function planSelection(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectionPlan {
    const collected = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const { selections } of sets) collect(type, selections, collected, spread);
    const key = `${type.name}:${[...collected.values()].map((nodes) => nodes.map(idOf).join('+')).join()}`;
    let plan = shared.get(key);
    bytes += SELECTION_BYTES;
    if (!plan) {
      plan = createSelection(type, collected);
      bytes += key.length + plan.fields.length * FIELD_BYTES;
      shared.set(key, plan);
    }
    return plan;
  }

  function collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    collected: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.directives?.length && !isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const known = collected.get(name);
        if (known) known.push(selection);
        else collected.set(name, [selection]);
        continue;
      }
      let fragment: { typeCondition?: { name: { value: string } } | undefined; selectionSet: SelectionSetNode };
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
        fragment = fragments[selection.name.value]!;
      } else fragment = selection;
      if (covers(schema, fragment.typeCondition?.name.value, type))
        collect(type, fragment.selectionSet.selections, collected, spread);
    }
  }

  function createSelection(type: GraphQLObjectType, collected: Map<string, FieldNode[]>): SelectionPlan {
    const fields = [...collected].map(([responseName, nodes]): FieldPlan => {
      const definition = definitionOf(schema, type, nodes[0]!.name.value);
      return {
        responseName,
        parentType: type,
        definition,
        property: propertyOf(definition),
        nodes,
        value: planValue(definition.type, nodes),
        argumentsOf: argumentsOf(definition, nodes[0]!),
      };
    });
    // A response name `__proto__` would set the prototype.
    const added = collected.has('__proto__') ? Object.create(null) : {};
    for (const { responseName } of fields) added[responseName] = undefined;
    // A copy, because V8 keeps an object to which many members were added in a hash table.
    const template = collected.has('__proto__') ? added : { ...added };
    const forms = fields.length < MIN_STORED ? null : new RecordForms(fields, { store, isOwn, fieldsOf });
    const length = lengthOf(template);
    return { type, fields, template, length, forms };
  }

  const fieldsOf = ({ value }: FieldPlan) => {
    const object = value.item ?? value;
    return selectionOf(object, object.type as GraphQLObjectType).fields;
  };

  function selectionOf(value: ValuePlan, type: GraphQLObjectType): SelectionPlan {
    let plan = value.selections!.get(type);
    if (!plan) {
      const sets = value.nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));
      plan = planSelection(type, sets);
      value.selections!.set(type, plan);
    }
    return plan;
  }

  return {
    root: planSelection(schema.getRootType(operation.operation)!, [operation.selectionSet]),
    selectionOf,
    bytes: () => bytes,
  };
}

function isIncluded(node: SelectionNode, variables: Variables): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
  );
}

function planValue(type: GraphQLOutputType, nodes: readonly FieldNode[]): ValuePlan {
  const isNonNull = isNonNullType(type);
  const inner = isNonNull ? type.ofType : type;
  const plain = { type: inner, isNonNull, item: null, selections: null, nodes, serialized: null } as const;
  if (isListType(inner)) return { ...plain, kind: 'list', item: planValue(inner.ofType, nodes) };
  if (isLeafType(inner)) return { ...plain, kind: 'leaf', serialized: SERIALIZED.get(inner) ?? null };
  return { ...plain, kind: isAbstractType(inner) ? 'abstract' : 'object', selections: new Map() };
}

const SERIALIZED = new Map<GraphQLOutputType, ValuePlan['serialized']>([
  [GraphQLString, 'string'],
  [GraphQLID, 'string'],
  [GraphQLBoolean, 'boolean'],
  [GraphQLInt, 'int32'],
]);

/** Whether a fragment on `condition` applies to a value of `type`. */
function covers(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditional = schema.getType(condition);
  return isAbstractType(conditional) && schema.isSubType(conditional, type);
}

function definitionOf(schema: GraphQLSchema, type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return type.getFields()[name]!;
}

/** The property that a field returns. Pothos names it for a field with another name, unless a plugin wraps the resolver. */
function propertyOf({ name, args, resolve, extensions }: GraphQLField<unknown, unknown>): string | null {
  if (args.length > 0) return null;
  if (!resolve) return name;
  const { pothosExposedField: exposed, pothosOriginalResolve: original } = extensions;
  return typeof exposed === 'string' && resolve === original ? exposed : null;
}

function argumentsOf(definition: GraphQLField<unknown, unknown>, node: FieldNode): FieldPlan['argumentsOf'] {
  if (definition.args.length === 0) return () => ({});
  if (node.arguments?.some(({ value }) => readsVariables(value)))
    return (variables) => getArgumentValues(definition, node, variables);
  let values: Arguments | undefined;
  return () => {
    values ??= getArgumentValues(definition, node);
    return { ...values };
  };
}

function readsVariables(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(readsVariables);
  return value.kind === Kind.OBJECT && value.fields.some((field) => readsVariables(field.value));
}
