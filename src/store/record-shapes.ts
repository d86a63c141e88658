/** The members of a record in their order, up to one of them. */
export interface Shape {
  /** Name of the last member. */
  readonly name: string;
  readonly parent: Shape | null;
  readonly following: Map<string, Shape>;
  /** The shape that followed most recently: nearly always the next one, too. */
  next: Shape | null;
  /** Created at the second use: a record with names of its own needs none. */
  build: Build | null;
  isUsed: boolean;
}

type Build = (values: readonly unknown[]) => object;

/** No more are created: records of a collection have few orders of members, but an imported store may contain any. */
const MAX_SHAPES = 8_192;
/** Names of fields, which need no escape in the code of {@link builderOf}. */
const FIELD_NAME = /^(?!__proto__$)\w+$/;

const createShape = (name: string, parent: Shape | null): Shape => ({
  name,
  parent,
  following: new Map(),
  next: null,
  build: null,
  isUsed: false,
});

/** The shape of a record without members. */
export const NO_MEMBERS = createShape('', null);
/** How many there are besides this one. */
let shapes = 0;

/** The shape with one more member; null if there are too many, or its name is not that of a field. */
export function shapeWith(shape: Shape, name: string): Shape | null {
  let next = shape.following.get(name);
  if (!next) {
    if (shapes === MAX_SHAPES || !FIELD_NAME.test(name)) return null;
    next = createShape(name, shape);
    shapes += 1;
    shape.following.set(name, next);
  }
  shape.next = next;
  return next;
}

/**
 * Creates a record from the values of its members. Objects of one literal have exactly the memory of their members, while V8
 * keeps one to which about twenty were added one by one in a hash table.
 */
export function buildRecord(shape: Shape, values: readonly unknown[]): object {
  if (shape.build) return shape.build(values);
  if (shape.isUsed) shape.build = builderOf(shape);
  shape.isUsed = true;
  return Object.fromEntries(namesOf(shape).map((name, index) => [name, values[index]]));
}

function builderOf(shape: Shape): Build {
  const members = namesOf(shape).map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return {${members}}`) as Build;
}

function namesOf(shape: Shape): string[] {
  const names: string[] = [];
  for (let at: Shape | null = shape; at?.parent; at = at.parent) names.push(at.name);
  return names.reverse();
}
