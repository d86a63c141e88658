import { z } from 'zod';
import { configSchema } from '../src/config.ts';
import { replaceSections, table } from './markdown.ts';

/** Set by the gateway for its own workers. */
const INTERNAL = new Set(['EMBEDDED_STORE_URI']);

interface Property {
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** `docs/reference/configuration.md` with its table generated from the validation schema of the settings. */
export function printSettings(page: URL): string {
  const { properties = {} } = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
  const defaults = configSchema.parse({});
  const rows = Object.entries(properties)
    .filter(([name]) => !INTERNAL.has(name))
    .map(([name, property]) => {
      const { description = '', ...bounds } = property as Property;
      const value = defaults[name as keyof typeof defaults];
      return [
        `\`${name}\``,
        value === undefined || String(value) === '' ? 'unset' : `\`${value}\``,
        boundsOf(bounds),
        description,
      ];
    });
  return replaceSections(page, { settings: table(['setting', 'default', 'values', 'meaning'], rows) });
}

function boundsOf({ type, format, enum: values, minimum, maximum, minLength, maxLength }: Property): string {
  if (values?.includes('true')) return '`true`, `false`';
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'number' || type === 'integer') return `${show(minimum)}–${show(maximum)}`;
  if (format === 'uri') return 'a URL';
  if (minLength !== undefined && maxLength !== undefined) return `${minLength}–${maxLength} characters`;
  return 'text';
}

const show = (bound: number | undefined): string =>
  bound === undefined || bound === Number.MAX_SAFE_INTEGER ? '' : bound.toLocaleString('en');
