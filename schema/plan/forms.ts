import { type GraphQLOutputType, isEnumType, isScalarType, isSpecifiedScalarType } from 'graphql';

/** The completed fields of a record by response name; undefined for those that are completed for each viewer. */
export type Form = { readonly [responseName: string]: unknown };

/** The part of a planned field that decides whether it is in a form. */
interface Field {
  responseName: string;
  parentType: { name: string };
  property: string | null;
  value: Value;
}

interface Value {
  kind: string;
  type: GraphQLOutputType;
  item: Value | null;
}

/**
 * How a selection completes the fields that are properties of a stored record: once for each version of the record,
 * because every execution completes them equally.
 */
export interface RecordForms<Planned> {
  stored: readonly Planned[];
  /** Fields with a resolver, nested objects and free-form values, completed in each execution. */
  others: readonly Planned[];
  /** By record. An entry exists no longer than its record. */
  forms: WeakMap<object, Form>;
}

/** Forms of equal selections, which the documents of the gateway share. */
const shared = new Map<string, WeakMap<object, Form>>();

/** @returns null if the selection has too few stored fields to be worth a form */
export function recordForms<Planned extends Field>(fields: readonly Planned[]): RecordForms<Planned> | null {
  const stored = fields.filter(isStored);
  if (stored.length < MIN_STORED || fields.some(({ responseName }) => responseName === '__proto__')) return null;
  const others = fields.filter((field) => !isStored(field));
  const names = fields.map((field) => `${field.responseName}:${isStored(field) ? field.property : ''}`);
  const key = `${fields[0]!.parentType.name} ${names.join()}`;
  let forms = shared.get(key);
  if (!forms) {
    forms = new WeakMap();
    shared.set(key, forms);
  }
  return { stored, others, forms };
}

/** A form is looked up and copied at the cost of about this many fields. */
const MIN_STORED = 4;

/** Free-form values are charged to the request that selects them. */
function isStored({ property, value }: Field): boolean {
  const { kind, type } = value.item ?? value;
  if (property === null || kind !== 'leaf') return false;
  return isEnumType(type) || (isScalarType(type) && (isSpecifiedScalarType(type) || type.name === 'DateTime'));
}
