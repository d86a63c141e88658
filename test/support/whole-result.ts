import { withForm } from '../../schema/plan/forms.ts';

/** The result of one of the gateway's own documents, with the fields that execution leaves in the forms of its records. */
export function whole(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(whole);
  if (typeof result !== 'object' || result === null || Object.getPrototypeOf(result) !== Object.prototype)
    return result;
  return Object.fromEntries(
    Object.entries(withForm(result as Record<string, unknown>)).map(([name, value]) => [name, whole(value)]),
  );
}
