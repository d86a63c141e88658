import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { omitUndefined, validate, withoutNull } from '../input.ts';
import { endpointIn, lockOfEndpoint, type WebhookEndpoint, writeEndpoint } from './endpoint.ts';
import {
  type CheckSelection,
  checkEndpointSelection,
  checkEndpointUrl,
  endpointFields,
  endpointIdInput,
} from './endpoint-input.ts';

const { url, events, method, accessToken, selection } = endpointFields;
export const updateWebhookEndpointInput = endpointIdInput.extend({
  url: withoutNull(url),
  events: withoutNull(events),
  method: withoutNull(method),
  accessToken: accessToken.nullish(),
  selection: selection.nullish(),
});

export type UpdateWebhookEndpointInput = z.input<typeof updateWebhookEndpointInput>;

/**
 * Changes an endpoint. Absent fields stay; null removes an access token or a selection. If the URL moves to another
 * origin, the access token is removed unless the same call sets it, so that no other receiver gets it.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND
 */
export async function updateWebhookEndpoint(
  context: Context,
  input: UpdateWebhookEndpointInput,
  checkSelection: CheckSelection,
): Promise<WebhookEndpoint> {
  const { endpointId, ...changes } = validate(updateWebhookEndpointInput, input);
  const before = await endpointIn(context, endpointId);
  const newUrl = changes.url ? await checkEndpointUrl(context, changes.url) : undefined;
  return context.transaction(
    async (session) => {
      const now = await endpointIn(context, endpointId, session);
      const wanted = {
        ...now,
        ...omitUndefined({ selection: changes.selection, events: changes.events }),
      };
      if (wanted.selection) checkEndpointSelection(checkSelection, wanted.selection, wanted.events);
      const isUrlChanged = newUrl !== undefined && newUrl !== now.url;
      return writeEndpoint(context, session, before, {
        ...(isUrlChanged && { $min: { dueAt: context.now() }, $inc: { queued: 1 } }),
        $set: omitUndefined({
          url: newUrl,
          events: changes.events,
          method: changes.method,
          accessToken: tokenAfter(now, newUrl, changes.accessToken),
          selection: changes.selection,
          // A pause and failures belong to the previous receiver.
          heldUntil: isUrlChanged ? null : undefined,
          failingSince: isUrlChanged ? null : undefined,
          payload: changes.selection === undefined ? undefined : changes.selection ? 'selection' : 'documented',
        }),
      });
    },
    lockOfEndpoint(context, endpointId),
  );
}

function tokenAfter(
  { url: before }: WebhookEndpointRecord,
  after: string | undefined,
  token: string | null | undefined,
): string | null | undefined {
  const changesOrigin = after !== undefined && new URL(after).origin !== new URL(before).origin;
  return token === undefined && changesOrigin ? null : token;
}
