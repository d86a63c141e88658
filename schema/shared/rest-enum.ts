import { builder } from '../builder.ts';

/**
 * An enum whose values the REST interface spells in its own way (`non-member`): GraphQL names are upper case, the
 * stored value is the REST spelling, and the REST door translates by this very type.
 */
export function restEnum<const Value extends string>(name: string, description: string, values: readonly Value[]) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      values.map((value) => [enumName(value), { value, description: `\`${value}\` in the REST interface.` }]),
    ) as Record<string, { value: Value; description: string }>,
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
