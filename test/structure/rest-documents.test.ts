import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldNode, Kind, type OperationDefinitionNode, parse, print, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { MutationInputs } from '../../rest-compat/generated/variables.ts';
import { inputSchema } from '../../rest-compat/input-schema.ts';
import { operationParams } from '../../rest-compat/operation-params.ts';
import type { Route } from '../../rest-compat/route.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { routeName } from '../support/calls.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'rest-compat');
const VERSION_FOLDER = /^v(\d)\/[a-z-]+\//;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
const documentFiles = files.filter((file) => VERSION_FOLDER.test(file) && file.endsWith('.graphql'));
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const routeFiles = files.filter(
  (file) => VERSION_FOLDER.test(file) && file.endsWith('.ts') && read(file).includes('route('),
);

test.each(ROUTES.map((route) => [routeName(route), route] as const))(
  '%s executes a valid document',
  (_, { document }) => {
    expect(validate(schema, document.read())).toEqual([]);
  },
);

test.each(ROUTES.map((route) => [routeName(route), route] as const))(
  'docs/interface.md describes %s in the section that it references',
  (_, { path, reference }) => {
    const lastName = path
      .split('/')
      .filter((part) => !part.startsWith(':'))
      .at(-1)!;
    expect(sectionOf(reference)).toContain(lastName);
  },
);

/** Routes whose parameters differ from the input of their mutation. Their files say why. */
const OWN_PARAMS = new Set([
  // Terms of a ban, which only GraphQL accepts.
  'PUT /api/v3/channels/:channelId/users/ban',
  'PUT /api/v3/communities/:communityId/users/ban',
  // The reason of a mute, which only GraphQL accepts.
  'PUT /api/v2/channel/:channelId/users/mute',
  'DELETE /api/v4/communities/:communityId/users/roles',
  'POST /api/v1/analytics/activities',
  'POST /api/v1/markers/message-feeds/:messageFeedId/start-reading',
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-reading',
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-readings',
  'POST /api/v1/markers/message-feeds/reading',
  'DELETE /v1/notification',
  'POST /api/v1/markers/sync',
  'POST /api/v1/reactions/live',
  'POST /api/v3/channels/:channelId/seen',
  'POST /api/v3/sessions',
  'POST /api/v4/communities/:communityId/users/roles',
  'POST /api/v4/sessions',
  'POST /api/v4/stories',
  'POST /api/v5/sessions',
  'POST /api/v5/sessions/bot',
  'POST /api/v5/sessions/visitor',
  'PUT /api/v1/markers/message-feeds/:messageFeedId/mark-delivering',
  'PUT /api/v1/markers/message-feeds/:messageFeedId/mark-read',
  'PUT /api/v3/network-settings/webhook',
]);

const mutationRoutes = ROUTES.filter(({ document }) => document.operationType === 'mutation');

test.each(mutationRoutes.map((route) => [routeName(route), route] as const))(
  'the parameters of %s are the input of its mutation, unless it is listed as different',
  (name, route) => {
    const own = inputSchema(route.params);
    const input = inputSchema(operationParams(mutationOf(route)));
    if (OWN_PARAMS.has(name)) expect(own).not.toEqual(input);
    else expect(own).toEqual(input);
  },
);

function mutationOf({ document }: Route): keyof MutationInputs {
  const [operation] = document.read().definitions as [OperationDefinitionNode];
  return (operation.selectionSet.selections[0] as FieldNode).name.value as keyof MutationInputs;
}

describe.each(routeFiles)('%s', (file) => {
  const source = read(file);
  const documentFile = file.replace(/\.ts$/, '.graphql');

  test('is in the folder of the newest version of its paths', () => {
    const versions = [...source.matchAll(/\bv(\d)\b(?=[/'])/g)].map(([, version]) => Number(version));
    expect(Math.max(...versions.filter((version) => version > 0))).toBe(Number(VERSION_FOLDER.exec(file)![1]));
  });

  test('has a document of the same name with the operations it executes', () => {
    const executed = new Set([...source.matchAll(/\boperation\('(\w+)'\)/g)].map(([, name]) => name!));
    const defined = existsSync(join(FOLDER, documentFile)) ? operationNames(read(documentFile)) : [];
    expect([...defined].sort()).toEqual([...executed].sort());
  });
});

test('every document of a version has a route file of the same name', () => {
  expect(documentFiles.filter((file) => !routeFiles.includes(file.replace(/\.graphql$/, '.ts')))).toEqual([]);
});

test('every fragment is defined once', () => {
  const names = files
    .filter((file) => file.endsWith('.graphql'))
    .flatMap((file) => parse(read(file)).definitions)
    .map((definition) => `${definition.kind} ${'name' in definition ? definition.name!.value : print(definition)}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

function operationNames(source: string): string[] {
  return parse(source).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name!.value] : [],
  );
}

/** The text of a section of `docs/interface.md`, up to the next heading of its level or above. */
function sectionOf(anchor: string): string {
  const text = readFileSync(join(FOLDER, '..', 'docs', 'interface.md'), 'utf8');
  const sections = text.split(/^(?=#{2,4} )/m);
  const found = sections.find((section) => anchorOf(section) === anchor);
  return found ?? '';
}

/** GitHub's anchor of a heading. */
function anchorOf(section: string): string {
  const [, heading = ''] = /^#+ (.*)$/m.exec(section) ?? [];
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
