/** A value, or its promise if it has to be waited for. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a value has to be waited for, as `await` decides it. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function';
}

/**
 * Continues with a loaded value: immediately and without a promise if the value is in memory. Use it in place of `await`
 * on paths that most reads take.
 */
export function whenLoaded<Value, Result>(
  value: MaybePromise<Value>,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** As {@link whenLoaded}, with all values of a tuple or list; the result rejects if one of them does. */
export function whenAllLoaded<const Values extends readonly unknown[], Result>(
  values: Values,
  use: (values: { -readonly [Index in keyof Values]: Awaited<Values[Index]> }) => MaybePromise<Result>,
): MaybePromise<Result> {
  for (let index = 0; index < values.length; index += 1)
    if (values[index] instanceof Promise) return Promise.all(values).then(use as (loaded: unknown[]) => Result);
  return use(values as never);
}
