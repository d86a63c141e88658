type Projection = { [field: string]: 1 };

/** Reads only these fields, and the internal id. */
export const only = (...fields: string[]): { projection: Projection } => ({
  projection: Object.fromEntries(fields.map((field) => [field, 1])),
});
