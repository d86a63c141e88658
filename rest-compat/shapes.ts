import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isEnumType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/**
 * The structure of a document's result: records, which belong to a side array; values inside a record; and containers,
 * which only lead to records (connections, payloads). Flattening and OpenAPI are derived from it.
 */
export type Shape = RecordShape | ContainerShape;

export interface RecordShape {
  kind: 'record';
  typeName: string;
  /** Name of its side array. */
  array: string;
  /** Fields of the record itself. */
  leaves: Leaf[];
  /** Fields that lead to further records. */
  links: Link[];
}

export interface ContainerShape {
  kind: 'container';
  typeName: string;
  leaves: Leaf[];
  links: Link[];
}

export interface Leaf {
  key: string;
  /** That of the field in the schema. */
  description: string | undefined;
  type: GraphQLOutputType;
  enumType: GraphQLEnumType | null;
  /** The leaves of an object inside the record. */
  inner: Leaf[] | null;
  /** Whether the record omits the field instead of containing null. */
  isOmittedWhenNull: boolean;
}

/** Fields that clients expect to be absent where they do not apply: `docs/interface.md#comment-record`. */
const OMITTED_WHEN_NULL: { readonly [typeName: string]: readonly string[] } = { Comment: ['parentId'] };

export interface Link {
  key: string;
  shape: Shape;
}

/** The side array of a type, unless the key in the document is the name of another one. */
const ARRAY_OF: { readonly [typeName: string]: string } = {
  User: 'users',
  Follow: 'follows',
  FollowCounts: 'followCounts',
  File: 'files',
  Community: 'communities',
  CommunityUser: 'communityUsers',
  Category: 'categories',
  Feed: 'feeds',
  JoinRequest: 'joinRequests',
  Role: 'roles',
  Post: 'posts',
  Comment: 'comments',
  Story: 'stories',
  StoryTarget: 'storyTargets',
  Pin: 'pins',
  PinTarget: 'pinTargets',
  Poll: 'polls',
  VideoStream: 'videoStreamings',
  Room: 'rooms',
  Channel: 'channels',
  ChannelUser: 'channelUsers',
  MessagePreview: 'messagePreviews',
  MessageFeedInfo: 'messageFeedsInfo',
  MessageFeed: 'messageFeeds',
  Message: 'messages',
  UserMarker: 'userMarkers',
  UserFeedMarker: 'userFeedMarkers',
  UserEntityMarker: 'userEntityMarkers',
  FeedMarker: 'feedMarkers',
  MessageMarker: 'contentMarkers',
  Reaction: 'reactors',
  LiveReaction: 'reactions',
  PostSearchResult: 'searchResult',
  CommunitySearchResult: 'searchResult',
};

/** @param arrays the side arrays of the route; records under a key with such a name belong to that array */
export function readShape(schema: GraphQLSchema, document: DocumentNode, arrays: readonly string[]): ContainerShape {
  const operation = getOperationAST(document)!;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const root = schema.getRootType(operation.operation)!;
  return { kind: 'container', typeName: root.name, ...readSet(root, operation.selectionSet) };

  function readSet(type: GraphQLObjectType, set: SelectionSetNode): { leaves: Leaf[]; links: Link[] } {
    const leaves = new Map<string, Leaf>();
    const links = new Map<string, Link>();
    for (const { key, description, fieldType, selectionSet } of fieldsOf(type, set)) {
      const named = getNamedType(fieldType);
      if (!isCompositeType(named)) {
        const enumType = isEnumType(named) ? named : null;
        const isOmittedWhenNull = OMITTED_WHEN_NULL[type.name]?.includes(key) ?? false;
        leaves.set(key, { key, description, type: fieldType, enumType, inner: null, isOmittedWhenNull });
      } else if (isObjectType(named) && !leadsToRecords(type, named)) {
        const { leaves: inner } = readSet(named, selectionSet!);
        leaves.set(key, { key, description, type: fieldType, enumType: null, inner, isOmittedWhenNull: false });
      } else {
        links.set(key, { key, shape: readComposite(named, selectionSet!, key) });
      }
    }
    return { leaves: [...leaves.values()], links: [...links.values()] };
  }

  function readComposite(type: ReturnType<typeof getNamedType>, set: SelectionSetNode, key: string): Shape {
    if (isUnionType(type)) return readUnion(type.getTypes(), set);
    const object = type as GraphQLObjectType;
    const content = readSet(object, set);
    const array = ARRAY_OF[object.name];
    if (array === undefined) return { kind: 'container', typeName: object.name, ...content };
    return { kind: 'record', typeName: object.name, array: arrays.includes(key) ? key : array, ...content };
  }

  /** The result of a mutation: the leaves and links of all members. */
  function readUnion(members: readonly GraphQLObjectType[], set: SelectionSetNode): ContainerShape {
    const parts = members.map((member) => readSet(member, set));
    return {
      kind: 'container',
      typeName: 'Result',
      leaves: parts.flatMap((part) => part.leaves),
      links: parts.flatMap((part) => part.links),
    };
  }

  function* fieldsOf(
    type: GraphQLObjectType,
    set: SelectionSetNode,
  ): Generator<{
    key: string;
    description: string | undefined;
    fieldType: GraphQLOutputType;
    selectionSet: SelectionSetNode | undefined;
  }> {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = type.getFields()[selection.name.value];
        if (field)
          yield {
            key: selection.alias?.value ?? selection.name.value,
            description: field.description ?? undefined,
            fieldType: field.type,
            selectionSet: selection.selectionSet,
          };
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
      const condition = fragment.typeCondition?.name.value;
      if (
        condition === undefined ||
        condition === type.name ||
        type.getInterfaces().some((one) => one.name === condition)
      ) {
        yield* fieldsOf(type, fragment.selectionSet);
      }
    }
  }
}

/** Whether an object field is a record or contains records, and is not a value inside its parent. */
function leadsToRecords(parent: GraphQLObjectType, type: GraphQLObjectType): boolean {
  if (ARRAY_OF[type.name] !== undefined || /(Connection|Edge|Payload|Event|^Session|^Search)$/.test(type.name))
    return true;
  return ARRAY_OF[parent.name] === undefined && type.name === 'PageInfo';
}
