import { ERRORS, type ErrorName } from '../../src/errors.ts';
import { builder } from '../builder.ts';

const MEANINGS: { readonly [Name in ErrorName]: string } = {
  BAD_REQUEST: 'The request is malformed, or the current state of a record does not allow the operation.',
  UNSUPPORTED_FORMAT: 'The uploaded file has a format that the route does not accept.',
  UNAUTHORIZED: 'The access token or key is missing, invalid or expired.',
  FORBIDDEN: 'The viewer is not allowed to do this, for example because only members are.',
  PERMISSION_DENIED: 'The viewer lacks the permission that the operation requires.',
  USER_MUTED: 'The viewer is muted in the channel and cannot send messages.',
  CHANNEL_MUTED: 'The channel is muted; only users who can mute it can send messages.',
  BANNED: 'The viewer is banned from the community or channel.',
  CANNOT_BAN: 'A user to ban has a higher rank than the viewer, or is the viewer.',
  BLOCKED_WORD: 'The text contains a word that the network blocks.',
  LINK_NOT_ALLOWED: 'The text contains a link that the network does not allow.',
  RATE_LIMITED: 'Too many requests, connections or messages; retry later.',
  GLOBALLY_BANNED: 'The user is banned from the network, or their account is deleted.',
  DUPLICATE: 'A record with this id, or a vote of the viewer, already exists.',
  NOT_BANNED: 'A user to unban is not banned.',
  LAST_MODERATOR: 'The community would have members but no moderator.',
  LAST_MEMBER: 'The community would have no members; delete it instead.',
  BLOCK_LIMIT: 'The viewer has blocked the maximum number of users.',
  BOT_DENIED: 'The viewer is a bot, whose session is read-only.',
  VISITOR_DENIED: 'The viewer is a visitor, whose session is read-only.',
  NOT_FOUND: 'The record does not exist, or the viewer cannot see it.',
  CURSOR_EXPIRED:
    'Events after this cursor are no longer retained: query `eventCursor`, read the data again, then subscribe after that cursor.',
  CONFLICT:
    'A concurrent change or the status of the record prevents the operation, or an idempotency key was used for another request.',
  INVALID_PARAMETERS: 'A parameter is missing, malformed or out of bounds; `detail` names each one.',
  TOO_LARGE: 'The request, an uploaded file or the response exceeds a size limit.',
  UNAVAILABLE: 'The service or its database is temporarily unavailable or took too long; retry later.',
  INTERNAL: 'Unexpected error, reported in the log of the server.',
};

export const ErrorCode = builder.enumType('ErrorCode', {
  description:
    'Error code. Each description names the numeric code and the HTTP status of REST. The viewer is the signed-in user.',
  values: Object.fromEntries(
    Object.entries(ERRORS).map(([name, { code, http }]) => [
      name,
      {
        value: name as ErrorName,
        description: `${MEANINGS[name as ErrorName]} REST: code ${code}, HTTP status ${http}.`,
      },
    ]),
  ),
});
