import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { printOpenApi } from '../../rest-compat/openapi.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'openapi', ...printOpenApi(schema, ROUTES) });

const validators = new Map<string, ValidateFunction>();

/** What an answer of the REST interface has against its own OpenAPI document; nothing when all is well. */
export function openApiProblems(method: string, url: string, status: number, body: unknown): string[] {
  const path = url.split('?')[0]!.replace(/\/+$/, '');
  const row = ROUTES.find((candidate) => candidate.method === method && patternOf(candidate.path).test(path));
  if (!row) return [];
  const name = row.path.replace(/:(\w+)/g, '{$1}');
  const place =
    status === 200 ? `paths/${pointerPart(name)}/${method.toLowerCase()}/responses/200` : 'components/responses/Error';
  let validate = validators.get(place);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi#/${place}/content/application~1json/schema` });
    validators.set(place, validate);
  }
  return validate(body)
    ? []
    : (validate.errors ?? []).slice(0, 10).map((error) => `${error.instancePath} ${error.message}`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '[^/]+')}$`);
}

/** A JSON pointer inside a URI fragment. */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
