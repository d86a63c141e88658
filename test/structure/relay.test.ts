import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import graphqlPlugin, { rules } from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';
import { expect, test } from 'vitest';

const SDL = join(import.meta.dirname, '..', '..', 'schema', 'schema.graphql');

test('the schema keeps the Relay rules, and describes every type and field', async () => {
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        plugins: { '@graphql-eslint': { rules } as unknown as NonNullable<Linter.Config['plugins']>[string] },
        languageOptions: { parser: graphqlPlugin.parser, parserOptions: { graphQLConfig: { schema: SDL } } },
        rules: {
          '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
          '@graphql-eslint/relay-connection-types': 'error',
          '@graphql-eslint/relay-edge-types': [
            'error',
            { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
          ],
          '@graphql-eslint/relay-page-info': 'error',
          '@graphql-eslint/require-description': ['error', { types: true, FieldDefinition: true, rootField: true }],
        },
      },
    ],
  });
  const [result] = await eslint.lintText(readFileSync(SDL, 'utf8'), { filePath: SDL });
  expect(result!.messages.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});
