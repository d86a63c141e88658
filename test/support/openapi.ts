import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';

interface Described {
  content?: { 'application/json': object };
  headers?: { [name: string]: object };
}

const document = JSON.parse(JSON.stringify(printOpenApi(schema, ROUTES))) as {
  paths: { [path: string]: { [method: string]: { responses: { [status: string]: { $ref: string } | Described } } } };
  components: { responses: { [name: string]: Described } };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'openapi', ...document });

const validators = new Map<string, ValidateFunction>();
const patterns = Object.keys(document.paths).map((path) => [path, patternOf(path)] as const);

export interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Validates a response against `openapi.json`. @returns one line for each violation */
export function openApiProblems(method: string, url: string, { status, headers, body }: Answered): string[] {
  const pathname = url.split('?')[0]!.replace(/\/+$/, '');
  const verb = method.toLowerCase();
  const path = patterns.find(([path, pattern]) => pattern.test(pathname) && document.paths[path]![verb])?.[0];
  if (path === undefined) return [];
  const { responses } = document.paths[path]![verb]!;
  const key = responses[status] ? String(status) : 'default';
  const given = responses[key]!;
  const place = '$ref' in given ? given.$ref.slice(2) : `paths/${pointerPart(path)}/${verb}/responses/${key}`;
  const described = '$ref' in given ? document.components.responses[given.$ref.split('/').at(-1)!]! : given;
  const missing = Object.keys(described.headers ?? {}).filter((name) => isDue(name) && !headers.has(name));
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...(described.content ? bodyProblems(`${place}/content/application~1json/schema`, body) : bodyless(body)),
  ];
}

/** Sent only with a replayed response. */
const isDue = (header: string) => header !== 'Idempotent-Replayed';

function bodyless(body: unknown): string[] {
  return body === '' ? [] : ['there is a body'];
}

function bodyProblems(place: string, body: unknown): string[] {
  let validate = validators.get(place);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi#/${place}` });
    validators.set(place, validate);
  }
  return validate(body) ? [] : problemsOf(validate);
}

/** The violations that a schema found in a body. */
export function problemsOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).slice(0, 10).map((error) => `${error.instancePath} ${error.message}`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** A JSON pointer in a URI fragment (RFC 6901, section 6). */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
