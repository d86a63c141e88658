import {
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { schema } from '../../schema/index.ts';

/** The first mutation of a document with all fields of its payload, two records deep, and with an idempotency key if given. */
export function withFullPayload(document: string, key?: string): string {
  const [definition] = parse(document).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  const field = definition.selectionSet.selections[0] as FieldNode;
  const name = field.name.value;
  const payload = `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
  const input = print(field.arguments![0]!.value).slice(1, -1);
  const named = key === undefined ? input : `${input} idempotencyKey: ${JSON.stringify(key)}`;
  const selection = selectionOf(schema.getType(payload) as GraphQLObjectType, 2);
  return `mutation { answer: ${name}(input: {${named}}) { __typename ... on ${payload} { ${selection} } ... on OperationError { code } } }`;
}

/** Selects the fields without arguments, except global ids, which differ between runs, and `clientMutationId`. */
export function selectionOf(type: GraphQLObjectType, depth: number): string {
  const selected = Object.values(type.getFields()).flatMap(({ name, type: fieldType, args }) => {
    if (['id', 'clientMutationId'].includes(name) || args.length > 0) return [];
    const inner = getNamedType(fieldType);
    if (isLeafType(inner)) return [name];
    return isObjectType(inner) && depth > 0 ? [`${name} { ${selectionOf(inner, depth - 1)} }`] : [];
  });
  return ['__typename', ...selected].join(' ');
}
