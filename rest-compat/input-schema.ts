import { z } from 'zod';
import type { JsonSchema } from './answer-schema.ts';

/** JSON Schema of the parameters that a client sends. */
export function inputSchema(params: z.ZodType): { properties?: { [name: string]: JsonSchema }; required?: string[] } {
  return z.toJSONSchema(params, { io: 'input', unrepresentable: 'any', override: describeInput }) as object;
}

/** Describes a preprocessed parameter by the schema of its result. */
function describeInput({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return;
  const inner = z.toJSONSchema(def.out as z.ZodType, { io: 'input', unrepresentable: 'any', override: describeInput });
  delete (inner as JsonSchema).$schema;
  Object.assign(jsonSchema, inner);
}
