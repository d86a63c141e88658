import { getTypeBrand } from '@pothos/core';
import {
  type ConstDirectiveNode,
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import type { Context } from '../src/context.ts';
import { OperationError } from '../src/errors.ts';
import { entities } from './shared/node.ts';

/** Maximum representations of one `_entities`. Routers send those of a whole level of their query together. */
export const MAX_REPRESENTATIONS = 1_000;
const MAX_KEY = 200;

const LINK = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@shareable"])`;

/**
 * The schema as a subgraph of Apollo Federation 2, with `_service` and `_entities` of the
 * [subgraph specification](https://www.apollographql.com/docs/graphos/reference/federation/subgraph-spec). Every type with
 * a public id is an entity with that id as its key.
 */
export function toSubgraph(schema: GraphQLSchema): GraphQLSchema {
  const sdl = `${LINK}\n\n${printWithDirectives(schema)}`;
  const subgraph = extendSchema(
    schema,
    parse(`
      "A reference to an entity: its \`__typename\` and its key."
      scalar _Any
      "A type with a public id."
      union _Entity = ${[...entities.keys()].join(' | ')}
      "This subgraph."
      type _Service { "Its schema with the directives of federation." sdl: String! }
      extend type Query {
        "This subgraph, for the composition of a federated graph. Requires no session."
        _service: _Service!
        "Records by their public ids, for the router of a federated graph; null for absent and forbidden ones."
        _entities("At most ${MAX_REPRESENTATIONS}." representations: [_Any!]!): [_Entity]!
      }
    `),
  );
  const { _service, _entities } = (subgraph.getQueryType() as GraphQLObjectType<unknown, Context>).getFields();
  _service!.resolve = () => ({ sdl });
  _entities!.resolve = (_, { representations }, context) => {
    if (representations.length > MAX_REPRESENTATIONS) throw invalid([], `at most ${MAX_REPRESENTATIONS}`);
    return representations.map(async (given: unknown, index: number) => loadEntity(context, given, index));
  };
  (subgraph.getType('_Entity') as GraphQLUnionType).resolveType = (record) => String(getTypeBrand(record));
  return subgraph;
}

/** The schema in the schema definition language, with the directives of federation. */
function printWithDirectives(schema: GraphQLSchema): string {
  const document = visit(parse(printSchema(schema)), {
    ObjectTypeDefinition(type) {
      const name = type.name.value;
      const entity = entities.get(name);
      if (entity) return { ...type, directives: directives(`@key(fields: "${entity.key}")`) };
      // Other subgraphs with connections define it as well, with the same fields.
      return name === 'PageInfo' ? { ...type, directives: directives('@shareable') } : undefined;
    },
  });
  return print(document);
}

function directives(text: string): readonly ConstDirectiveNode[] {
  return (parse(`type T ${text}`).definitions[0] as ObjectTypeDefinitionNode).directives!;
}

/** @returns null for a record that does not exist or that the viewer cannot see */
function loadEntity(context: Context, given: unknown, index: number): Promise<object | null> {
  const representation = (given ?? {}) as { [field: string]: unknown };
  const { __typename: name } = representation;
  const entity = typeof name === 'string' ? entities.get(name) : undefined;
  if (!entity) throw invalid([index, '__typename'], 'must be the name of an entity');
  const id = representation[entity.key];
  if (typeof id !== 'string' || id.length > MAX_KEY)
    throw invalid([index, entity.key], `must be a text of at most ${MAX_KEY} characters`);
  return entity.load(context, id);
}

function invalid(path: Array<string | number>, fault: string): OperationError {
  const place = ['representations', ...path.map(String)];
  return new OperationError('INVALID_PARAMETERS', { detail: [`${place.join('.')}: ${fault}`], path: place });
}
