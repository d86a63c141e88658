import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { z } from 'zod';
import { descriptionOf } from '../schema/shared/input-fields.ts';
import type { JsonSchema } from './answer-schema.ts';
import type { Route } from './route.ts';

/** Parameters with the same meaning in every route, which GraphQL describes with other bounds or does not have. */
const REST_PARAMS: { readonly [name: string]: string } = {
  options:
    'Page: `options[limit]` is the number of records, 1 to 100, by default 10; `options[token]` is a token from `paging` for another page.',
  limit: 'Number of records, 1 to 100. Default: 10.',
  token: 'Token from `paging`, for another page.',
  isDeleted: 'Whether to list deleted records (true), existing ones (false) or both (null, default).',
  matchingOnlyParentPost: 'Whether to omit child posts. Default: true.',
  keyword: 'Only records whose display name contains this text.',
  search: 'Only users whose display name contains this text.',
};

/** Parameters whose name no variable of the document has. */
const RENAMED_PARAMS: { readonly [name: string]: string } = {
  channelId: 'Public id of the channel.',
  messageFeedId: 'Id of the message feed, or public id of a channel for its default message feed.',
  userId: 'Public id of the user.',
  includeTags: 'Only messages with at least one of these tags.',
  excludeTags: 'Only messages with none of these tags.',
  userPublicIds: 'Only records of these users, by public id, at most 20.',
  streams: 'Watched video streams; accepted and not stored.',
  role: 'Public id of another role, as in `roles`.',
  readToSegment: 'Segment up to which the viewer has read; the newest by default.',
  activities: 'Activities of the viewer. Views of posts and stories are counted; others are accepted and ignored.',
  deviceInfo: 'Accepted and ignored.',
  webhookEnabled: 'Another name of `enabled`, which takes precedence.',
};

/**
 * Adds a description to each parameter whose schema has none: that of {@link REST_PARAMS}, else that of the argument or
 * input field to which the GraphQL document of the route passes a variable with the same name, else that of
 * {@link RENAMED_PARAMS}.
 */
export function describeParams(
  schema: GraphQLSchema,
  route: Route,
  params: { readonly [name: string]: JsonSchema },
): { [name: string]: JsonSchema } {
  const inherited = variableDescriptions(schema, route);
  const described = ([name, param]: [string, JsonSchema]): [string, JsonSchema] => {
    const text = param.description ?? REST_PARAMS[name] ?? inherited.get(name) ?? RENAMED_PARAMS[name];
    if (typeof text !== 'string') return [name, param];
    const suffix = /default/i.test(text) ? '' : defaultOf(route, name, param);
    return [name, { ...param, description: `${text}${suffix}` }];
  };
  return Object.fromEntries(Object.entries(params).map(described));
}

/** Descriptions by name of the variable. The fields of a variable that is an input object count as variables. */
function variableDescriptions(schema: GraphQLSchema, route: Route): Map<string, string> {
  const found = new Map<string, string>();
  const info = new TypeInfo(schema);
  const add = (name: string, description: string | null | undefined, type: GraphQLInputType | null | undefined) => {
    if (description && !found.has(name)) found.set(name, description);
    const named = type && getNamedType(type);
    if (!isInputObjectType(named)) return;
    for (const field of Object.values(named.getFields())) add(field.name, fieldDescription(named, field), undefined);
  };
  const addArgument = {
    Argument({ value }: { value: { kind: string; name?: { value: string } } }) {
      if (value.kind === Kind.VARIABLE) add(value.name!.value, info.getArgument()?.description, info.getInputType());
    },
    ObjectField({ name, value }: { name: { value: string }; value: { kind: string; name?: { value: string } } }) {
      const parent = getNamedType(info.getParentInputType());
      if (value.kind !== Kind.VARIABLE || !isInputObjectType(parent)) return;
      add(value.name!.value, parent.getFields()[name.value]?.description, info.getInputType());
    },
  };
  visit(route.document.read(), visitWithTypeInfo(info, addArgument));
  return found;
}

/** The description without the bounds, which JSON Schema states. */
function fieldDescription(type: GraphQLInputObjectType, field: GraphQLInputField): string | null | undefined {
  const validation = (type.extensions.schema as z.ZodObject | undefined)?.shape[field.name] as z.ZodType | undefined;
  return (validation && descriptionOf(validation)) ?? field.description;
}

/** The default of an enum parameter in its REST spelling. */
function defaultOf(route: Route, name: string, { enum: spellings }: JsonSchema): string {
  const field = route.params instanceof z.ZodObject ? (route.params.shape[name] as z.ZodType | undefined) : undefined;
  if (!(field instanceof z.ZodDefault) || !Array.isArray(spellings)) return '';
  const { defaultValue, innerType } = field.def;
  const spelling = spellings.find((one) => (innerType as z.ZodType).safeParse(one).data === defaultValue);
  return spelling === undefined ? '' : ` Default: \`${spelling}\`.`;
}
