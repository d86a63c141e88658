import type { FragmentDefinitionNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Path } from 'graphql/jsutils/Path.js';
import type { FieldPlan, OperationPlan } from './operation-plan.ts';

export type Container = { [key: string]: unknown };

/** An object or a list of the response, and the slot that contains it. */
export interface Place {
  parent: Place | null;
  /** The slot is `container[key]`. */
  container: Container;
  key: string | number;
  isNonNull: boolean;
  /** The parent type of the slot's field; undefined for a list item. */
  typename: string | undefined;
  /** Whether a failed non-null field set the place to null; results below it are then discarded. */
  isNulled: boolean;
}

export interface OperationRun {
  plan: OperationPlan;
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: { [name: string]: FragmentDefinitionNode };
  rootValue: unknown;
  context: unknown;
  /** Coerced variables. */
  variables: { [name: string]: unknown };
  /** Called with each object before a scalar serializes it. An exception becomes the error of the field. */
  beforeObject?: ((value: object) => void) | undefined;
  /** Called with each error beyond the limit of a response. Returns whether to append it anyway, which happens once. */
  onExcessError: (error: unknown) => boolean;
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

/** The path of a place; undefined for the response itself. */
export function pathOf(place: Place): Path | undefined {
  return place.parent ? { prev: pathOf(place.parent), key: place.key, typename: place.typename } : undefined;
}

/** The `info` argument of resolvers. Computed lazily, because most resolvers do not read it. */
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
