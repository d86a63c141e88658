import type { FragmentDefinitionNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Path } from 'graphql/jsutils/Path.js';
import type { FieldPlan, OperationPlan } from './operation-plan.ts';

export type Container = { [key: string]: unknown };

/** An object or a list of the response and the slot that holds it. */
export interface Place {
  parent: Place | null;
  /** The slot is `container[key]`. */
  container: Container;
  key: string | number;
  isNonNull: boolean;
  /** The type whose field the slot is; undefined for an item of a list. */
  typename: string | undefined;
  /** Set to null because a non-null field below it failed: nothing below counts any more. */
  isNulled: boolean;
}

export interface OperationRun {
  plan: OperationPlan;
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: { [name: string]: FragmentDefinitionNode };
  rootValue: unknown;
  context: unknown;
  /** Coerced. */
  variables: { [name: string]: unknown };
  /** Called with each object that a scalar is about to serialize; what it throws is the error of the field. */
  beforeObject?(value: object): void;
  /** Called with each error beyond the limit of an answer; whether the result keeps it behind the others, once. */
  onExcessError(error: unknown): boolean;
}

export function createPlace(
  parent: Place | null,
  container: Container,
  key: string | number,
  { isNonNull }: { isNonNull: boolean },
  typename: string | undefined,
): Place {
  return { parent, container, key, isNonNull, typename, isNulled: false };
}

/** The response itself has no path. */
export function pathOf(place: Place): Path | undefined {
  return place.parent ? { prev: pathOf(place.parent), key: place.key, typename: place.typename } : undefined;
}

/** Most resolvers read nothing of it, so that each part is worked out when it is read. */
export class ResolveInfo implements GraphQLResolveInfo {
  private readonly run: OperationRun;
  private readonly field: FieldPlan;
  private readonly place: Place;

  constructor(run: OperationRun, field: FieldPlan, place: Place) {
    this.run = run;
    this.field = field;
    this.place = place;
  }

  get fieldName(): string {
    return this.field.definition.name;
  }
  get fieldNodes(): FieldPlan['nodes'] {
    return this.field.nodes;
  }
  get returnType() {
    return this.field.definition.type;
  }
  get parentType() {
    return this.field.parentType;
  }
  get path(): Path {
    const { responseName: key, parentType } = this.field;
    return { prev: pathOf(this.place), key, typename: parentType.name };
  }
  get schema() {
    return this.run.schema;
  }
  get fragments() {
    return this.run.fragments;
  }
  get rootValue() {
    return this.run.rootValue;
  }
  get operation() {
    return this.run.operation;
  }
  get variableValues() {
    return this.run.variables;
  }
}
