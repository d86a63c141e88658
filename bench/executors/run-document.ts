import { createRequire } from 'node:module';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Context } from '../../src/context.ts';
import type { ExecutorName } from './works.ts';

type Variables = { readonly [name: string]: unknown };
/** Executes one document. */
export type RunDocument = (variables: Variables, context: Context) => ExecutionResult | Promise<ExecutionResult>;

export interface OtherExecutor {
  /** Compiles or plans a document, or leaves that to its first run. */
  prepare(document: DocumentNode): RunDocument;
  /** As {@link prepare}; the data of results may be JSON already. */
  prepareText(document: DocumentNode): (variables: Variables, context: Context) => string | Promise<string>;
}

/** The executors of other projects, as their documentation describes them. */
export function createOtherExecutor(name: ExecutorName, schema: GraphQLSchema): OtherExecutor {
  if (name === 'graphql-js') return withJson(graphqlJs(schema));
  if (name === 'graphql-jit') return withJson(graphqlJit(schema));
  return grafast(schema);
}

const requirePackage = () => createRequire(`${process.env.EXECUTOR_PACKAGES}/`);

const graphqlJs =
  (schema: GraphQLSchema) =>
  (document: DocumentNode): RunDocument =>
  (variableValues, contextValue) =>
    execute({ schema, document, variableValues, contextValue }) as ReturnType<RunDocument>;

function graphqlJit(schema: GraphQLSchema) {
  const { compileQuery } = requirePackage()('graphql-jit');
  return (document: DocumentNode): RunDocument => {
    const { query } = compileQuery(schema, document);
    return (variables, context) => query({}, context, variables);
  };
}

/** Documents that an execution repeats have one plan, which Grafast keeps with the document. */
function grafast(schema: GraphQLSchema): OtherExecutor {
  const { execute: run } = requirePackage()('grafast');
  const prepare =
    (document: DocumentNode, outputDataAsString: boolean): RunDocument =>
    (variableValues, contextValue) =>
      run({ schema, document, variableValues, contextValue, outputDataAsString });
  return {
    prepare: (document) => prepare(document, false),
    prepareText: (document) =>
      textOf(prepare(document, true), ({ data, errors }) => {
        if (errors) throw errors[0];
        return `{"data":${data}}`;
      }),
  };
}

const withJson = (prepare: OtherExecutor['prepare']): OtherExecutor => ({
  prepare,
  prepareText: (document) => textOf(prepare(document), (result) => JSON.stringify(result)),
});

function textOf(run: RunDocument, text: (result: ExecutionResult) => string): ReturnType<OtherExecutor['prepareText']> {
  return (variables, context) => {
    const result = run(variables, context);
    return result instanceof Promise ? result.then(text) : text(result);
  };
}
