/** Whether a record still holds anything of what erasing empties. */
export function saysAnything<Emptied extends object>(
  record: { readonly [Field in keyof Emptied]: object },
  emptied: Emptied,
): boolean {
  return (Object.keys(emptied) as Array<keyof Emptied>).some((field) => Object.keys(record[field]).length > 0);
}
