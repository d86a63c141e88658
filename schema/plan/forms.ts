import {
  type GraphQLField,
  type GraphQLOutputType,
  isEnumType,
  isScalarType,
  isSpecifiedScalarType,
  TypeNameMetaFieldDef,
} from 'graphql';
import { deepFreeze, memberCount } from '../../src/store/lazy-document.ts';
import { dependsOnRecord } from '../shared/of-record.ts';

type Values = { readonly [responseName: string]: unknown };

/** The fields of a record that every execution completes equally, completed. */
export interface Form {
  /** By response name; undefined for the fields that are completed in each execution. */
  values: Values;
  /** Characters of the JSON of the values, as of the run of an operation. */
  length: number;
  /** Which conditional fields are in `values`: one bit each. */
  conditions: number;
  /** What else was computed from the values, such as their JSON, by what computes it. */
  derived: ReadonlyArray<{ by: object; value: unknown }> | null;
}

/** Where an object of a response has its form, if the document is part of the gateway. */
const FORM = Symbol('form');

/**
 * The form of an object in a response of one of the gateway's own documents; undefined if it has none. The object contains
 * only the fields that are not in the form.
 */
export const formOf = (object: object): Form | undefined => (object as { [FORM]?: Form })[FORM];

/** An object of such a response with all of its fields. */
export function withForm(object: Values): Values {
  const form = formOf(object);
  return form ? { ...form.values, ...object } : object;
}

/** The part of a planned field that decides whether it is in a form. */
interface Field {
  responseName: string;
  parentType: { name: string };
  definition: GraphQLField<unknown, unknown>;
  property: string | null;
  value: Value;
}

interface Value {
  kind: string;
  type: GraphQLOutputType;
  item: Value | null;
}

interface FormOptions<Planned> {
  store: FormStore;
  /** Whether the document is part of the gateway. */
  isOwn: boolean;
  fieldsOf: FieldsOf<Planned>;
}

/** The fields selected on the values of a field of an object type, or of a list of objects. */
type FieldsOf<Planned> = (field: Planned) => readonly Planned[];

/** A selection's fields for records that meet the same conditions. */
export interface FormParts<Planned> {
  stored: readonly Planned[];
  /** Completed in each execution. */
  others: readonly Planned[];
  /** An object with the response names of `others` and a place for the form, as its V8 hidden class. */
  template: { readonly [responseName: string]: undefined };
  conditions: number;
}

/** The forms of a record, each with the selection that it belongs to. */
interface FormsOfRecord {
  own: readonly FormOf[];
  /** Those of the documents of clients, the newest last. */
  clients: readonly FormOf[];
}

const NO_FORMS: FormsOfRecord = { own: [], clients: [] };

interface FormOf {
  selection: object;
  form: Form;
}

/** The forms of one gateway. */
export interface FormStore {
  /** One entry for each record, however many forms it has: garbage collection visits all of them. */
  records: WeakMap<object, FormsOfRecord>;
  /** The identity of each selection in documents of the gateway. Equal selections share one, and so their forms. */
  own: Map<string, object>;
  /** Number of further forms of clients so far. */
  further: number;
}

export const createFormStore = (): FormStore => ({ records: new WeakMap(), own: new Map(), further: 0 });

/** A form is looked up and copied at the cost of about this many fields. */
export const MIN_STORED = 4;
/** Forms per record for the documents of clients, and fields in each, so that clients cannot fill the memory. */
const MAX_CLIENT_FORMS = 3;
const MAX_CLIENT_FIELDS = 64;
/** One in so many further forms replaces the oldest one of its record: selections that alternate would replace each other. */
const REPLACED_ONCE_IN = 8;
/** Bits of {@link Form.conditions}. */
const MAX_CONDITIONS = 30;

type Kind = boolean | ((record: never) => boolean);

/**
 * How a selection completes the fields that depend on a stored record alone: twice for each version of the record, since
 * most records of an archive are not requested again soon. A form exists no longer than its record.
 */
export class RecordForms<Planned extends Field> {
  private readonly fields: readonly Planned[];
  private readonly store: FormStore;
  private readonly isOwn: boolean;
  private readonly fieldsOf: FieldsOf<Planned>;
  private readonly parts = new Map<number, FormParts<Planned>>();
  /** Whether each field is in a form; null until the first record. */
  private kinds: readonly Kind[] | null = null;
  /** The identity of this selection and equal ones; null until it is needed. */
  private selection: object | null;

  constructor(fields: readonly Planned[], { store, isOwn, fieldsOf }: FormOptions<Planned>) {
    this.fields = fields;
    this.store = store;
    this.isOwn = isOwn;
    this.fieldsOf = fieldsOf;
    this.selection = isOwn ? null : this;
  }

  find(record: object): Form | undefined {
    const known = this.store.records.get(record);
    if (known === undefined) return undefined;
    const selection = this.identity();
    for (const kept of this.isOwn ? known.own : known.clients) if (kept.selection === selection) return kept.form;
    return undefined;
  }

  /**
   * Keeps the values of {@link FormParts.stored}, which `target` has completed. Later responses refer to them, so they are
   * frozen.
   */
  keep(
    record: object,
    { conditions }: FormParts<Planned>,
    { target, length }: { target: Values; length: number },
  ): void {
    let { own, clients } = this.store.records.get(record) ?? NO_FORMS;
    if (!this.isOwn && clients.length >= MAX_CLIENT_FORMS) {
      this.store.further += 1;
      if (this.store.further % REPLACED_ONCE_IN !== 0) return;
      clients = clients.slice(1);
    }
    const values = { ...target };
    for (const value of Object.values(values)) deepFreeze(value);
    const form: Form = { values, length, conditions, derived: null };
    const kept = { selection: this.identity(), form };
    // New lists, because a list that grows has spare capacity.
    if (this.isOwn) own = [...own, kept];
    else clients = [...clients, kept];
    this.store.records.set(record, { own, clients });
  }

  /** A new object of a response. It contains the values of the form, or {@link formOf} finds the form. */
  targetOf(form: Form): { [responseName: string]: unknown } {
    if (!this.isOwn) return { ...form.values };
    const target: { [responseName: string]: unknown; [FORM]?: Form } = { ...this.partsOf(form.conditions).template };
    target[FORM] = form;
    return target;
  }

  /** The fields that are not in a form. */
  othersOf({ conditions }: Form): readonly Planned[] {
    return this.partsOf(conditions).others;
  }

  /** Divides the fields for a record; null when a form would save too little. */
  partsFor(record: object): FormParts<Planned> | null {
    let conditions = 0;
    let bit = 1;
    for (const kind of this.kindsOfFields()) {
      if (typeof kind !== 'function') continue;
      if (kind(record as never)) conditions |= bit;
      bit <<= 1;
    }
    const parts = this.partsOf(conditions);
    return parts.stored.length >= MIN_STORED ? parts : null;
  }

  private partsOf(conditions: number): FormParts<Planned> {
    const known = this.parts.get(conditions);
    if (known) return known;
    const kinds = this.kindsOfFields();
    const stored: Planned[] = [];
    const others: Planned[] = [];
    let bit = 1;
    for (const [index, field] of this.fields.entries()) {
      const kind = kinds[index]!;
      const isStored = typeof kind === 'function' ? (conditions & bit) !== 0 : kind;
      if (typeof kind === 'function') bit <<= 1;
      (isStored ? stored : others).push(field);
    }
    const template: { [responseName: string]: undefined; [FORM]?: undefined } = { [FORM]: undefined };
    for (const { responseName } of others) template[responseName] = undefined;
    // A copy, because V8 keeps an object to which many members were added in a hash table.
    const parts = { stored, others, template: { ...template }, conditions };
    this.parts.set(conditions, parts);
    return parts;
  }

  private kindsOfFields(): readonly Kind[] {
    this.kinds ??= kindsOf(this.fields, this.fieldsOf, this.isOwn ? Number.POSITIVE_INFINITY : MAX_CLIENT_FIELDS);
    return this.kinds;
  }

  private identity(): object {
    if (this.selection) return this.selection;
    const kinds = this.kindsOfFields();
    const names = this.fields.map((field, index) => describe(field, kinds[index] !== false, this.fieldsOf));
    const key = `${this.fields[0]!.parentType.name} ${names.join()}`;
    this.selection = this.store.own.get(key) ?? {};
    this.store.own.set(key, this.selection);
    return this.selection;
  }
}

/** What makes the forms of two selections equal. */
function describe<Planned extends Field>(field: Planned, isStored: boolean, fieldsOf: FieldsOf<Planned>): string {
  const name = `${field.responseName}:${field.definition.name}`;
  if (!isStored || !isObject(field.value) || isConstant(field)) return name;
  return `${name}{${fieldsOf(field)
    .map((inner) => describe(inner, true, fieldsOf))
    .join()}}`;
}

function kindsOf<Planned extends Field>(
  fields: readonly Planned[],
  fieldsOf: FieldsOf<Planned>,
  maxStored: number,
): Kind[] {
  if (fields.some(({ responseName }) => responseName === '__proto__')) return fields.map(() => false);
  let stored = 0;
  let conditions = 0;
  return fields.map((field) => {
    const kind = kindOf(field, fieldsOf);
    if (kind === false) return false;
    stored += isConstant(field) ? 1 : sizeOf(field, fieldsOf);
    if (typeof kind === 'function') conditions += 1;
    return stored <= maxStored && conditions <= MAX_CONDITIONS ? kind : false;
  });
}

function kindOf<Planned extends Field>(field: Planned, fieldsOf: FieldsOf<Planned>): Kind {
  const { definition, property, value } = field;
  if (definition === TypeNameMetaFieldDef) return true;
  if (definition.args.length > 0) return false;
  const declared = dependsOnRecord(definition.extensions);
  if (typeof declared === 'function') return declared;
  if (property === null && !declared) return false;
  if (isPlainLeaf(value)) return true;
  if (isObject(value) ? !fieldsOf(field).every((inner) => isOfValue(inner, fieldsOf)) : !isLeaf(value)) return false;
  // Members of long free-form values are charged to each request that selects them, and are decoded for it.
  return property === null || ((record: Values) => !isLong(record[property]));
}

/** Whether a field of an object inside a record is the same in each execution. */
function isOfValue<Planned extends Field>(field: Planned, fieldsOf: FieldsOf<Planned>): boolean {
  const { definition, property, value } = field;
  if (definition === TypeNameMetaFieldDef) return true;
  if (definition.args.length > 0 || (property === null && dependsOnRecord(definition.extensions) !== true))
    return false;
  return isObject(value) ? fieldsOf(field).every((inner) => isOfValue(inner, fieldsOf)) : isLeaf(value);
}

/** Whether a field is null, false or empty where it is stored, so that the fields selected on its values are never completed. */
const isConstant = ({ definition }: Field): boolean => typeof dependsOnRecord(definition.extensions) === 'function';

/** Number of values of a stored field. */
function sizeOf<Planned extends Field>(field: Planned, fieldsOf: FieldsOf<Planned>): number {
  return isObject(field.value) ? fieldsOf(field).reduce((sum, inner) => sum + sizeOf(inner, fieldsOf), 1) : 1;
}

/** Whether a value is an object, or a list of objects. */
const isObject = (value: Value): boolean => (value.item ?? value).kind === 'object';

const isLeaf = (value: Value): boolean => (value.item ?? value).kind === 'leaf';

function isPlainLeaf(value: Value): boolean {
  const { kind, type } = value.item ?? value;
  if (kind !== 'leaf') return false;
  return isEnumType(type) || (isScalarType(type) && (isSpecifiedScalarType(type) || type.name === 'DateTime'));
}

const isLong = (value: unknown): boolean => typeof value === 'object' && value !== null && memberCount(value) > 0;
