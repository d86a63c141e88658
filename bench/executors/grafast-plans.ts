import { createRequire } from 'node:module';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { dependsOnRecord } from '../../schema/shared/of-record.ts';
import { type Context, type Services, viewerOf } from '../../src/context.ts';
import { getUser } from '../../src/domain/user/get-user.ts';

/** The loader of each field that follows the id in one property of its record. */
const LINKS = {
  'Post.author': ['postedUserId', 'users'],
  'User.avatar': ['avatarFileId', 'files'],
  'Community.avatar': ['avatarFileId', 'files'],
  'Community.creator': ['userId', 'users'],
  'CommunityUser.user': ['userId', 'users'],
} as const;

type LoaderName = (typeof LINKS)[keyof typeof LINKS][1];
type Step = object;

/**
 * Gives fields of the schema plan resolvers for Grafast, in place of their resolvers: fields that depend on their record
 * alone, relations by one id, and the viewer. Other fields keep their resolvers, which Grafast runs.
 *
 * @param services in place of a context, for resolvers that use no more than the public address of the gateway
 */
export function addPlanResolvers(schema: GraphQLSchema, services: Services): void {
  const { access, context, lambda, loadOne } = createRequire(`${process.env.EXECUTOR_PACKAGES}/`)('grafast');
  const load = (loader: LoaderName) => ({
    shared: () => context(),
    load: (ids: ReadonlyArray<string | null>, { shared }: { shared: Context }) =>
      ids.map((id) => (id === null ? null : shared.load[loader].load(id))),
  });
  const loaders = { users: load('users'), files: load('files') };
  const plans = new Map<string, (parent: Step) => Step>();
  for (const [field, [property, loader]] of Object.entries(LINKS))
    plans.set(field, (parent) => loadOne(access(parent, property), loaders[loader]));
  plans.set('Query.viewer', () =>
    lambda(context(), (running: Context) => getUser(running, { userId: viewerOf(running).userId })),
  );
  const planned = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const { resolve } = field;
      let plan = plans.get(name);
      if (!plan && resolve && field.args.length === 0 && dependsOnRecord(field.extensions) === true)
        plan = (parent) =>
          lambda(
            parent,
            (record: unknown) => (record === null ? null : resolve(record, {}, services, undefined as never)),
            true,
          );
      if (!plan) continue;
      planned.add(name);
      field.extensions = { ...field.extensions, grafast: { plan } };
      delete field.resolve;
    }
  }
  for (const name of plans.keys()) if (!planned.has(name)) throw new Error(`The schema has no field ${name}.`);
}
