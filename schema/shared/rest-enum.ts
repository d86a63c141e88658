import { builder } from '../builder.ts';

/**
 * A GraphQL enum for values that the REST interface spells differently. The stored value is the REST spelling
 * (`non-member`), the GraphQL name is derived from it (`NON_MEMBER`), and the REST routes translate by the enum type.
 *
 * Where a constant list defines the values, pass their type (`restEnum<PostSort>`): a missing description is then a
 * type error.
 *
 * @param descriptions the meaning of each value, by its REST spelling
 */
export function restEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: { readonly [Key in Value]: string },
) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries<string>(descriptions).map(([value, meaning]) => [
        enumName(value),
        { value: value as Value, description: meaning },
      ]),
    ),
  });
}

/** `coHosts` → `CO_HOSTS`, `member&banned` → `MEMBER_AND_BANNED`, `Spam or scams` → `SPAM_OR_SCAMS`. */
export function enumName(value: string): string {
  return value
    .replaceAll('&', ' and ')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}
