import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  print,
  visit,
} from 'graphql';
import { DOCUMENT_SOURCES } from './document-sources.ts';
import type { MutationInputs, OperationVariables } from './generated/variables.ts';

/** A GraphQL operation of the gateway's own with the fragments it spreads. */
export interface OwnDocument<Variables = never> {
  readonly operationType: OperationTypeNode;
  /** Parses the operation on the first call; documents share their fragments. */
  read(): DocumentNode;
  toString(): string;
  /** Carries the type of the variables; never set. */
  readonly variables?: (variables: Variables) => unknown;
}

/** An operation of a `.graphql` file in this folder, by name. */
export function operation<Name extends keyof OperationVariables>(name: Name): OwnDocument<OperationVariables[Name]> {
  const text = OPERATIONS.get(name);
  if (text === undefined) throw new Error(`No .graphql file defines the operation ${name}.`);
  return ownDocument(text);
}

/**
 * A mutation that selects fields of its payload. The schema names the input and the payload after the mutation:
 * `createPost(input: CreatePostInput!)` returns `CreatePostPayload` or an `OperationError`.
 *
 * @param selection fields of the payload
 */
export function mutation<Name extends keyof MutationInputs>(
  name: Name,
  selection: string,
): OwnDocument<{ input: MutationInputs[Name] }> {
  const typeName = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  return ownDocument(`mutation ${typeName}($input: ${typeName}Input!) {
    ${name}(input: $input) {
      __typename
      ... on ${typeName}Payload { ${selection} }
      ... on OperationError { ...Failure }
    }
  }`);
}

const OPERATIONS = new Map<string, string>();
const FRAGMENTS = new Map<string, string>();
const parsedFragments = new Map<string, FragmentDefinitionNode>();

for (const source of DOCUMENT_SOURCES) {
  for (const text of source.split(/^(?=(?:query|subscription|fragment) )/m)) {
    const [, keyword, name] = /^(query|subscription|fragment) (\w+)/.exec(text) ?? [];
    if (name !== undefined) (keyword === 'fragment' ? FRAGMENTS : OPERATIONS).set(name, text);
  }
}

function ownDocument<Variables>(text: string): OwnDocument<Variables> {
  let document: DocumentNode | undefined;
  const read = () => (document ??= withFragments(parseDefinition(text) as OperationDefinitionNode));
  return { operationType: /^\w+/.exec(text)![0] as OperationTypeNode, read, toString: () => print(read()) };
}

function withFragments(definition: OperationDefinitionNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  collectFragments(definition, fragments);
  return { kind: Kind.DOCUMENT, definitions: [definition, ...fragments.values()] };
}

function collectFragments(definition: DefinitionNode, found: Map<string, FragmentDefinitionNode>): void {
  visit(definition, {
    FragmentSpread({ name: { value: name } }) {
      if (found.has(name)) return;
      const fragment = fragmentOf(name);
      found.set(name, fragment);
      collectFragments(fragment, found);
    },
  });
}

function fragmentOf(name: string): FragmentDefinitionNode {
  let fragment = parsedFragments.get(name);
  if (!fragment) {
    const text = FRAGMENTS.get(name);
    if (text === undefined) throw new Error(`No .graphql file defines the fragment ${name}.`);
    fragment = parseDefinition(text) as FragmentDefinitionNode;
    parsedFragments.set(name, fragment);
  }
  return fragment;
}

function parseDefinition(text: string): DefinitionNode {
  return parse(text, { noLocation: true }).definitions[0]!;
}
