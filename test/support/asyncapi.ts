import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { printAsyncApi } from '../../rest-compat/asyncapi/asyncapi.ts';
import { schema } from '../../schema/index.ts';
import { WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import { problemsOf } from './openapi.ts';

export interface AsyncApiDocument {
  channels: { [name: string]: { address: string | null; messages: { [name: string]: { $ref?: string } } } };
  operations: { [name: string]: { channel: { $ref: string }; messages: Array<{ $ref: string }> } };
  components: { messages: { [name: string]: { headers?: object; payload: object; examples?: Example[] } } };
}

interface Example {
  headers?: object;
  payload: object;
}

export const asyncApi = JSON.parse(JSON.stringify(printAsyncApi(schema))) as AsyncApiDocument;

// Payloads are described in the vocabulary of draft 7.
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv) => void)(ajv);
ajv.addSchema({ $id: 'asyncapi', ...asyncApi });

const validators = new Map<string, ValidateFunction>();

/**
 * Validates a message against the AsyncAPI document.
 *
 * @param message such as `realtime.post.created`, `webhook.v3.post.didCreate` or `graphql.next`
 * @param headers of a webhook, with names in lower case
 * @returns one line for each violation
 */
export function asyncApiProblems(message: string, payload: unknown, headers?: object): string[] {
  const problems = problemsIn(`${message}/payload`, payload);
  return headers === undefined ? problems : [...problems, ...problemsIn(`${message}/headers`, headers)];
}

/** Validates a message of `/realtime/<event>` or `/webhook/<name>`; other addresses have no documented messages. */
export function streamedProblems(url: string, text: string): string[] {
  const message = messageAt(url);
  return message === null ? [] : asyncApiProblems(message, JSON.parse(text));
}

/** The name of the message that an address sends; null for other addresses. */
export function messageAt(url: string): string | null {
  const [, transport, name] = /\/(realtime|webhook)\/([^?]+)/.exec(url) ?? [];
  return transport === undefined ? null : `${transport}.${name!.replace('/', '.')}`;
}

/** Validates a received webhook. Pings, and bodies that an endpoint selects with a GraphQL document, are not documented. */
export function deliveryProblems(headers: object, body: string): string[] {
  const message = body.startsWith('{') ? deliveredMessage(JSON.parse(body)) : null;
  return message === null ? [] : asyncApiProblems(message, JSON.parse(body), headers);
}

interface Delivered {
  event?: string;
  eventType?: string;
  data?: { eventName?: string };
}

function deliveredMessage({ event, eventType, data }: Delivered): string | null {
  const pushed = eventType === 'push-notification.created' ? `push-notification/${data?.eventName}` : null;
  const name = pushed ?? WEBHOOK_NAMES.find((one) => one.replace(/^v\d+\./, '') === event);
  return name === undefined ? null : `webhook.${name.replace('/', '.')}`;
}

function problemsIn(place: string, value: unknown): string[] {
  let validate = validators.get(place);
  if (!validate) {
    validate = ajv.compile({ $ref: `asyncapi#/components/messages/${place}` });
    validators.set(place, validate);
  }
  return validate(value) ? [] : problemsOf(validate);
}
