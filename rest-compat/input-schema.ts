import { z } from 'zod';
import type { JsonSchema } from './answer-schema.ts';

/** Parameters as a client may send them. */
export function inputSchema(params: z.ZodType): { properties?: { [name: string]: JsonSchema }; required?: string[] } {
  return z.toJSONSchema(params, { io: 'input', unrepresentable: 'any', override: describeInput }) as object;
}

/** A preprocessed or transformed parameter is described by what it must become, or may be. */
function describeInput({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return;
  const inner = z.toJSONSchema(def.out as z.ZodType, { io: 'input', unrepresentable: 'any', override: describeInput });
  delete (inner as JsonSchema).$schema;
  Object.assign(jsonSchema, inner);
}
