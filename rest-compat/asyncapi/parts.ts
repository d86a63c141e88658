import type { JsonSchema } from '../answer-schema.ts';
import EXAMPLES from './examples.json' with { type: 'json' };

/** The channels, operations and messages that one transport adds to the document. */
export interface Parts {
  channels: { [name: string]: JsonSchema };
  operations: { [name: string]: JsonSchema };
  messages: { [name: string]: JsonSchema };
}

/** HTTP binding of event requests. */
export const EVENT_REQUEST: JsonSchema = {
  method: 'GET',
  query: { $ref: '#/components/schemas/EventParameters' },
  bindingVersion: '0.3.0',
};

/** A recorded example of the message, if there is one. */
export function exampleOf(message: string): { examples?: JsonSchema[] } {
  const payload = (EXAMPLES as { [message: string]: object })[message];
  return payload ? { examples: [{ name: 'recorded', payload }] } : {};
}

export function ref(kind: 'messages' | 'schemas' | 'securitySchemes', name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A meaning of the event catalogue as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
