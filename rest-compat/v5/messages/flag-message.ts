import { z } from 'zod';
import { flagParams } from '../../flag-params.ts';
import { FlagMessageOfVersion5Document, FlagRestMessageDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const params = z.object({ messageId: id(150), ...flagParams });

const variables = ({ messageId, reason, detail }: z.output<typeof params>) => ({
  input: { messageId, reason: reason ?? null, detail: detail ?? null },
});

/** Flags a message: version 3 as the interface has it, version 5 as newer clients call it (legacy-facts §3). */
export const flagMessage: Route[] = [
  route({
    method: 'POST',
    path: '/api/v3/messages/:messageId/flag',
    section: 'interface §4.6',
    summary: 'Flag a message for its moderators.',
    params,
    document: FlagRestMessageDocument,
    variables,
    arrays: ['messages', 'users', 'files'],
  }),
  route({
    method: 'POST',
    path: '/api/v5/messages/:messageId/flags',
    section: 'legacy-facts §3',
    summary: 'Flag a message for its moderators, as newer clients do.',
    params,
    document: FlagMessageOfVersion5Document,
    variables,
    arrays: ['messages', 'messageFeeds', 'users', 'files', 'reactions'],
  }),
];
