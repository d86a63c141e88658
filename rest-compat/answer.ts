import type { Executor } from '../schema/execute.ts';
import type { Context } from '../src/context.ts';
import { ERRORS, type ErrorName, OperationError } from '../src/errors.ts';
import { type Usage, usageOf } from '../src/limits/rates/operation-usage.ts';
import { continueList } from './continue-list.ts';
import { toOperationError } from './error-body.ts';
import { compileFlatten, compileUnwritten, type Flattened } from './flatten.ts';
import { toPaging } from './paging.ts';
import { checkParams, mergeParams, type RawParams } from './params.ts';
import type { Route } from './route.ts';

/**
 * Answers one request of a route, with records that are serialized later.
 * @throws {OperationError} for anything but success
 */
export type Answer = (raw: RawParams, context: Context) => Promise<object>;

/** A route that is ready to answer requests. */
export interface PreparedRoute {
  answer: Answer;
  /** How a request counts for the rate limits. */
  usage(): Usage;
}

/** Prepares a route. Its document is parsed by the first request. */
export function prepareRoute(executor: Executor, route: Route): PreparedRoute {
  const variablesOf = route.variables as (params: unknown) => { [name: string]: unknown };
  let loaded: ReturnType<typeof loadDocument> | undefined;
  const load = () => {
    loaded ??= loadDocument(executor, route);
    return loaded;
  };

  const answer: Answer = async (raw, context) => {
    const merged = mergeParams(route.params, raw);
    const { params, parameters, continuesWithPrevious } = route.paging
      ? continueList(route, merged)
      : { params: checkParams(route.params, merged), parameters: {}, continuesWithPrevious: false };
    const variables = variablesOf(params);
    const { prepared, flatten } = load();
    const result = await executor.run(prepared, { variables, context });
    if (result.errors?.[0]) throw toOperationError(result.errors[0]);
    const flat = flatten(result.data as { [key: string]: unknown });
    if (flat.failure) throw failureOf(flat.failure);
    if (route.required && flat.arrays[route.arrays[0]!]!.length === 0) {
      throw new OperationError('NOT_FOUND', { message: `${route.required} not found.` });
    }
    const body: { [key: string]: unknown } = { ...flat.values, ...flat.arrays };
    if (route.paging) {
      const { total } = body;
      delete body.total;
      const paging = toPaging(flat.pageInfo ?? NO_PAGES, {
        size: pageSizeOf(variables),
        previousKeys: route.paging,
        parameters,
        continuesWithPrevious,
      });
      body.paging = total === undefined ? paging : { ...paging, total };
    }
    return route.wrap ? route.wrap(body) : body;
  };
  return { answer, usage: () => usageOf(load().prepared) };
}

function loadDocument(executor: Executor, route: Route) {
  const document = route.document.read();
  const compile = route.wrapReadsRecords ? compileFlatten : compileUnwritten;
  return { prepared: executor.prepareOwn(document), flatten: compile(executor.schema, document, route.arrays) };
}

const NO_PAGES = { hasNextPage: false, hasPreviousPage: false };

function pageSizeOf(variables: { [name: string]: unknown }): number {
  return Number(variables.first ?? variables.last ?? 10);
}

function failureOf({ code, message, detail, path }: NonNullable<Flattened['failure']>): OperationError {
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorName) : 'INTERNAL';
  return new OperationError(known, { message, detail: detail ?? [], path: path ?? [] });
}
