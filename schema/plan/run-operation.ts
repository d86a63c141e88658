import {
  defaultFieldResolver,
  defaultTypeResolver,
  type ExecutionResult,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  isObjectType,
  locatedError,
} from 'graphql';
import type { Path } from 'graphql/jsutils/Path.js';
import { isPromise } from '../../src/lib/maybe-promise.ts';
import { runInSlice, yieldIfSliceIsOver } from '../../src/lib/time-slice.ts';
import { lengthOf, withLength } from '../../src/limits/answer-text.ts';
import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import { markCompleted } from '../../src/store/decode.ts';
import type { RecordForms } from './forms.ts';
import type { FieldPlan, SelectionPlan, ValuePlan } from './operation-plan.ts';
import { type Container, createPlace, type OperationRun, type Place, pathOf, ResolveInfo } from './resolve-info.ts';

interface Run extends OperationRun {
  errors: GraphQLError[];
  /** Characters of the JSON of the values that are completed, without escapes. */
  length: number;
  /** Number of values that have not settled yet. */
  pending: number;
  /** Called when `pending` reaches zero; null while the first fields start. */
  onSettled: (() => void) | null;
}

/**
 * Runs a planned query or mutation, as ExecuteRequest of the GraphQL specification. Returns the result itself, without a
 * promise, when no resolver of a query waited. Unlike graphql-js, it returns only
 * after every resolver has settled, also resolvers whose result is discarded because another field failed, and it yields
 * to the event loop between records.
 */
export function runOperation(options: OperationRun): ExecutionResult | Promise<ExecutionResult> {
  // Named one by one: copying the members of another object would cost as much as running a small operation.
  const run: Run = {
    plan: options.plan,
    schema: options.schema,
    operation: options.operation,
    fragments: options.fragments,
    rootValue: options.rootValue,
    context: options.context,
    variables: options.variables,
    beforeObject: options.beforeObject,
    onExcessError: options.onExcessError,
    errors: [],
    length: 0,
    pending: 0,
    onSettled: null,
  };
  const { root } = options.plan;
  const response: Container = {};
  const place = createPlace(null, response, 'data', { isNonNull: false }, undefined);
  const data: Container = copyOf(root.template);
  response.data = data;
  const result = (): ExecutionResult => {
    const value = response.data as { [name: string]: unknown } | null;
    return withLength(run.errors.length > 0 ? { errors: run.errors, data: value } : { data: value }, run.length);
  };
  if (options.operation.operation === 'mutation')
    return new Promise((resolve) => runSerially(run, { selection: root, data, place }, () => resolve(result())));
  // Keeps the run pending until the last field has started, even if earlier fields complete synchronously.
  run.pending += 1;
  runFields(run, root.fields, options.rootValue, data, place);
  settle(run);
  if (run.pending === 0) return result();
  return new Promise((resolve) => {
    run.onSettled = () => resolve(result());
  });
}

interface Serial {
  selection: SelectionPlan;
  data: Container;
  place: Place;
}

/** Runs the root fields of a mutation one after another. */
function runSerially(run: Run, { selection, data, place }: Serial, finish: () => void, index = 0): void {
  const field = selection.fields[index];
  if (!field || place.isNulled) {
    finish();
    return;
  }
  run.onSettled = () => runSerially(run, { selection, data, place }, finish, index + 1);
  run.pending += 1;
  runField(run, field, run.rootValue, data, place);
  settle(run);
}

function settle(run: Run): void {
  run.pending -= 1;
  if (run.pending === 0) run.onSettled?.();
}

function runFields(run: Run, fields: readonly FieldPlan[], source: unknown, target: Container, place: Place): void {
  for (let index = 0; index < fields.length; index += 1) {
    runField(run, fields[index]!, source, target, place);
    if (place.isNulled) return;
  }
}

function runField(run: Run, field: FieldPlan, source: unknown, target: Container, place: Place): void {
  if (field.property !== null && typeof source === 'object' && source !== null) {
    readField(run, field, source as Container, target, place);
    return;
  }
  resolveField(run, field, source, target, place);
}

/** Completes a field without a resolver. Most are plain values, for which nothing is allocated. */
function readField(run: Run, field: FieldPlan, source: Container, target: Container, place: Place): void {
  const { property, value, responseName } = field;
  try {
    const resolved = source[property!];
    if (typeof resolved === 'function') {
      resolveField(run, field, source, target, place);
    } else if (resolved === null && !value.isNonNull) {
      target[responseName] = null;
    } else if (value.serialized !== null && isSerialized(value.serialized, resolved)) {
      if (value.serialized === 'string') run.length += (resolved as string).length;
      target[responseName] = resolved;
    } else if (value.kind === 'leaf' && resolved !== null && isPlain(resolved)) {
      target[responseName] = serialize(run, value.type as GraphQLLeafType, resolved);
    } else {
      completeLater(run, { field, value, container: target, key: responseName, place }, resolved);
    }
  } catch (error) {
    fail(run, { field, value, container: target, key: responseName, place }, error);
  }
}

function isSerialized(type: NonNullable<ValuePlan['serialized']>, value: unknown): boolean {
  if (type === 'int32') return typeof value === 'number' && (value | 0) === value;
  return typeof value === type;
}

function isPlain(resolved: unknown): boolean {
  return (
    resolved !== undefined && (typeof resolved !== 'object' || !(isPromise(resolved) || resolved instanceof Error))
  );
}

function resolveField(run: Run, field: FieldPlan, source: unknown, target: Container, place: Place): void {
  const slot: Slot = { field, value: field.value, container: target, key: field.responseName, place };
  try {
    const info = new ResolveInfo(run, field, place);
    const resolve = field.definition.resolve ?? defaultFieldResolver;
    completeLater(run, slot, resolve(source, field.argumentsOf(run.variables), run.context, info));
  } catch (error) {
    fail(run, slot, error);
  }
}

/** Where a value is written, and the field that it belongs to. */
interface Slot {
  field: FieldPlan;
  value: ValuePlan;
  container: Container;
  key: string | number;
  place: Place;
}

function completeLater(run: Run, slot: Slot, resolved: unknown): void {
  if (!isPromise(resolved)) {
    complete(run, slot, resolved);
    return;
  }
  run.pending += 1;
  resolved.then(
    (value) =>
      runInSlice(() => {
        complete(run, slot, value);
        settle(run);
      }),
    (error) => {
      fail(run, slot, error);
      settle(run);
    },
  );
}

function complete(run: Run, slot: Slot, resolved: unknown): void {
  const { value, container, key } = slot;
  if (resolved === null || resolved === undefined) {
    if (!value.isNonNull) container[key] = null;
    else fail(run, slot, new Error(`Cannot return null for non-nullable field ${nameOf(slot.field)}.`));
    return;
  }
  try {
    if (resolved instanceof Error) throw resolved;
    if (value.serialized !== null && isSerialized(value.serialized, resolved)) {
      run.length += lengthOf(resolved);
      container[key] = resolved;
    } else if (value.kind === 'leaf') container[key] = serialize(run, value.type as GraphQLLeafType, resolved);
    else if (value.kind === 'list') completeList(run, slot, resolved);
    else if (value.kind === 'object') completeObject(run, slot, value.type as GraphQLObjectType, resolved);
    else completeAbstract(run, slot, resolved);
  } catch (error) {
    fail(run, slot, error);
  }
}

function serialize(run: Run, type: GraphQLLeafType, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) run.beforeObject?.(value);
  const serialized = type.serialize(value);
  if (serialized === null || serialized === undefined)
    throw new Error(`Expected \`${type.name}.serialize(…)\` to return a non-nullable value, returned: ${serialized}`);
  run.length += lengthOf(serialized);
  return serialized;
}

function completeList(run: Run, slot: Slot, resolved: unknown): void {
  const { field, container, key, place } = slot;
  if (typeof resolved !== 'object' || typeof (resolved as Iterable<unknown>)[Symbol.iterator] !== 'function')
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${nameOf(field)}".`);
  const list: unknown[] = [];
  container[key] = list;
  const inner = createPlace(place, container, key, slot.value, typenameOf(slot));
  let index = 0;
  for (const item of resolved as Iterable<unknown>) {
    list.push(null);
    run.length += 1;
    const value = slot.value.item!;
    const itemSlot = { field, value, container: list as unknown as Container, key: index, place: inner };
    // Promises yield when they resolve. Delaying one here could leave its rejection unhandled.
    completeLater(run, itemSlot, value.kind === 'leaf' || isPromise(item) ? item : yieldIfSliceIsOver(item));
    if (inner.isNulled) return;
    index += 1;
  }
}

function completeAbstract(run: Run, slot: Slot, resolved: unknown): void {
  const type = slot.value.type as GraphQLAbstractType;
  const info = new ResolveInfo(run, slot.field, slot.place);
  const name = (type.resolveType ?? defaultTypeResolver)(resolved, run.context, info, type);
  if (!isPromise(name)) completeObject(run, slot, concreteType(run, slot, name), resolved);
  else afterwards(run, slot, name, (found) => completeObject(run, slot, concreteType(run, slot, found), resolved));
}

function concreteType({ schema }: Run, { value, field }: Slot, name: unknown): GraphQLObjectType {
  const type = value.type as GraphQLAbstractType;
  const found = typeof name === 'string' ? schema.getType(name) : undefined;
  if (typeof name === 'string' && !found)
    throw new GraphQLError(
      `Abstract type "${type.name}" was resolved to a type "${name}" that does not exist inside the schema.`,
    );
  if (!isObjectType(found))
    throw new GraphQLError(
      `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${nameOf(field)}".`,
    );
  if (!schema.isSubType(type, found))
    throw new GraphQLError(`Runtime Object type "${found.name}" is not a possible type for "${type.name}".`);
  return found;
}

function completeObject(run: Run, slot: Slot, type: GraphQLObjectType, resolved: unknown): void {
  if (!type.isTypeOf) {
    fillObject(run, slot, type, resolved, true);
    return;
  }
  const isOf = type.isTypeOf(resolved, run.context, new ResolveInfo(run, slot.field, slot.place));
  if (isPromise(isOf)) afterwards(run, slot, isOf, (found) => fillObject(run, slot, type, resolved, found));
  else fillObject(run, slot, type, resolved, isOf);
}

function fillObject(run: Run, slot: Slot, type: GraphQLObjectType, resolved: unknown, isOf: unknown): void {
  if (isOf === false) throw new GraphQLError(`Expected value of type "${type.name}".`);
  const { fields, template, length, forms } = run.plan.selectionOf(slot.value, type);
  run.length += length;
  const form = forms?.find(resolved as object);
  const target: Container = form ? forms!.targetOf(form) : copyOf(template);
  slot.container[slot.key] = target;
  const place = createPlace(slot.place, slot.container, slot.key, slot.value, typenameOf(slot));
  if (form) {
    run.length += form.length;
    runFields(run, forms!.othersOf(form), resolved, target, place);
  } else if (forms && markCompleted(resolved as object))
    completeForm(run, fields, forms, resolved as object, target, place);
  else runFields(run, fields, resolved, target, place);
}

/** Completes a stored record that was completed before, and keeps what every execution completes equally. */
function completeForm(
  run: Run,
  fields: readonly FieldPlan[],
  forms: RecordForms<FieldPlan>,
  record: object,
  target: Container,
  place: Place,
): void {
  const parts = forms.partsFor(record);
  if (!parts) {
    runFields(run, fields, record, target, place);
    return;
  }
  const errors = run.errors.length;
  const { pending, length } = run;
  runFields(run, parts.stored, record, target, place);
  if (place.isNulled) return;
  if (run.errors.length === errors && run.pending === pending)
    forms.keep(record, parts, { target, length: run.length - length });
  runFields(run, parts.others, record, target, place);
}

/** Continues completing a value after a promise resolves. */
function afterwards(run: Run, slot: Slot, awaited: PromiseLike<unknown>, work: (found: unknown) => void): void {
  run.pending += 1;
  awaited
    .then(work)
    .then(undefined, (error) => fail(run, slot, error))
    .then(() => settle(run));
}

/** Reports a failure and sets the nearest nullable slot to null (GraphQL specification, "Handling Field Errors"). */
function fail(run: Run, { field, value, container, key, place }: Slot, error: unknown): void {
  for (let above: Place | null = place; above; above = above.parent) if (above.isNulled) return;
  const typename = typeof key === 'string' ? field.parentType.name : undefined;
  if (
    run.errors.length < ANSWER_LIMITS.errors ||
    (run.onExcessError(error) && run.errors.length === ANSWER_LIMITS.errors)
  )
    run.errors.push(locatedError(error, field.nodes, namesOf({ prev: pathOf(place), key, typename })));
  if (!value.isNonNull) {
    container[key] = null;
    return;
  }
  let above = place;
  while (above.isNonNull && above.parent) above = above.parent;
  above.container[above.key] = null;
  above.isNulled = true;
}

const typenameOf = ({ key, field }: Slot): string | undefined =>
  typeof key === 'string' ? field.parentType.name : undefined;

function namesOf(path: Path): Array<string | number> {
  const names: Array<string | number> = [];
  for (let at: Path | undefined = path; at; at = at.prev) names.unshift(at.key);
  return names;
}

const nameOf = ({ parentType, definition }: FieldPlan): string => `${parentType.name}.${definition.name}`;

const copyOf = (template: SelectionPlan['template']): Container =>
  Object.getPrototypeOf(template) === null ? Object.assign(Object.create(null), template) : { ...template };
