/** A field of an answer that is computed when it is read, so that answers without it cost nothing. */
export type Deferred<Value> = Value | (() => Promise<Value>);

export function readDeferred<Value>(field: Deferred<Value>): Value | Promise<Value> {
  return typeof field === 'function' ? (field as () => Promise<Value>)() : field;
}

/** Computes the deferred fields of an answer that is stored. */
export async function readAllDeferred<Answer extends object>(answer: Answer): Promise<Answer> {
  const fields = Object.entries(answer).map(async ([name, field]) => [name, await readDeferred<unknown>(field)]);
  return Object.fromEntries(await Promise.all(fields)) as Answer;
}
