/** Removes all members of an object that a library retains. Does nothing without one. */
export function clearObject(object: unknown): void {
  for (const name of Object.keys(object ?? {})) Reflect.deleteProperty(object as object, name);
}
