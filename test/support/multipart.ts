/** The parts of a GraphQL multipart request, in order: fields, and files by the name of their part. */
export type Parts = Array<[name: string, content: string | Blob]>;

/** A form with a request for an operation whose variables contain files, by the GraphQL multipart request specification. */
export function multipartOf(query: string, variables: unknown): FormData {
  const files: Blob[] = [];
  const map: { [name: string]: string[] } = {};
  const withoutFiles = (value: unknown, path: string): unknown => {
    if (value instanceof Blob) {
      map[files.length] = [path];
      files.push(value);
      return null;
    }
    if (Array.isArray(value)) return value.map((item, index) => withoutFiles(item, `${path}.${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFiles(item, `${path}.${key}`)]));
  };
  const operations = JSON.stringify({ query, variables: withoutFiles(variables, 'variables') });
  return formOf([
    ['operations', operations],
    ['map', JSON.stringify(map)],
    ...files.map((file, index): Parts[number] => [String(index), file]),
  ]);
}

export function formOf(parts: Parts): FormData {
  const form = new FormData();
  for (const [name, content] of parts) {
    if (typeof content === 'string') form.append(name, content);
    else form.append(name, content, content instanceof File ? content.name : 'file');
  }
  return form;
}

/** Whether a value contains a file. */
export function hasFile(value: unknown): boolean {
  if (value instanceof Blob) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFile);
}

/** The header without which multipart requests are refused. */
export const PREFLIGHT = { 'graphql-require-preflight': '1' };
