/** The members of a record in their order, up to one of them. */
export interface Shape {
  /** Name of the last member. */
  readonly name: string;
  readonly parent: Shape | null;
  readonly following: Map<string, Shape>;
  /** The shape that followed most recently: nearly always the next one, too. */
  next: Shape | null;
  build: Build | null;
}

type Build = (values: readonly unknown[]) => object;

/** With more, all are forgotten: records of a collection have few orders of members, but an imported store may contain any. */
const MAX_SHAPES = 4_096;
/** Names of fields, which need no escape in the code of {@link builderOf}. */
const FIELD_NAME = /^(?!__proto__$)\w+$/;

const createShape = (name: string, parent: Shape | null): Shape => ({
  name,
  parent,
  following: new Map(),
  next: null,
  build: null,
});

/** The shape of a record without members. */
export const NO_MEMBERS = createShape('', null);
/** How many there are besides this one. */
let shapes = 0;

/** The shape with one more member; null if its name is not that of a field. */
export function shapeWith(shape: Shape, name: string): Shape | null {
  let next = shape.following.get(name);
  if (!next) {
    if (!FIELD_NAME.test(name)) return null;
    if (shapes === MAX_SHAPES) forgetShapes();
    next = createShape(name, shape);
    shapes += 1;
    shape.following.set(name, next);
  }
  shape.next = next;
  return next;
}

function forgetShapes(): void {
  NO_MEMBERS.following.clear();
  NO_MEMBERS.next = null;
  shapes = 0;
}

/**
 * Creates a record from the values of its members. Objects of one literal have exactly the memory of their members, while V8
 * keeps one to which about twenty were added one by one in a hash table.
 */
export function buildRecord(shape: Shape, values: readonly unknown[]): object {
  shape.build ??= builderOf(shape);
  return shape.build(values);
}

function builderOf(shape: Shape): Build {
  const names: string[] = [];
  for (let at: Shape | null = shape; at?.parent; at = at.parent) names.unshift(at.name);
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return {${members}}`) as Build;
}
