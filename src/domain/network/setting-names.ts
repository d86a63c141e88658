import { z } from 'zod';
import { updateNetworkSettingsInput } from './network-settings-input.ts';

/** New values of settings by name. The name of a setting is its path in `updateNetworkSettings`, such as `chat.enabled`. */
export type SettingChanges = { readonly [name: string]: unknown };

/** The names of all settings, in the order of the schema. */
export const SETTING_NAMES: readonly string[] = namesOf(updateNetworkSettingsInput, []);

function namesOf(schema: z.ZodType, path: readonly string[]): string[] {
  const group = groupOf(schema);
  if (!group) return [path.join('.')];
  return Object.entries<z.ZodType>(group.shape).flatMap(([name, field]) => namesOf(field, [...path, name]));
}

function groupOf(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return groupOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? schema : null;
}

/** The settings that a validated input contains. */
export function changesOf(input: z.output<typeof updateNetworkSettingsInput>): SettingChanges {
  const given = SETTING_NAMES.map((name) => [name, valueAt(input, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as { [name: string]: unknown } | null | undefined)?.[name], root);
}

/** An object in which only the value at a path is set. */
export function objectWith(path: string, value: unknown): object {
  return path
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}
