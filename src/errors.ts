/**
 * Every expected failure, for all transports. In GraphQL the name is `extensions.code`; REST answers
 * `{status: "error", code, message, data?}` with the HTTP status (`docs/interface.md#errors`).
 */
export const ERRORS = {
  BAD_REQUEST: { code: 400000, http: 400, message: 'The request is not valid.' },
  UNSUPPORTED_FORMAT: { code: 400002, http: 415, message: 'This format is not supported.' },
  UNAUTHORIZED: { code: 400100, http: 401, message: 'A valid access token is required.' },
  FORBIDDEN: { code: 400300, http: 403, message: 'This is not allowed.' },
  PERMISSION_DENIED: { code: 400301, http: 403, message: 'You lack the required permission.' },
  USER_MUTED: { code: 400302, http: 403, message: 'You are muted in this channel.' },
  CHANNEL_MUTED: { code: 400303, http: 403, message: 'This channel is muted.' },
  BANNED: { code: 400304, http: 403, message: 'You are banned from this community or channel.' },
  CANNOT_BAN: { code: 400306, http: 403, message: 'Some users cannot be banned.' },
  BLOCKED_WORD: { code: 400308, http: 403, message: 'The text contains a blocked word.' },
  LINK_NOT_ALLOWED: { code: 400309, http: 403, message: 'The text contains a link that is not allowed.' },
  RATE_LIMITED: { code: 400311, http: 429, message: 'Too many requests.' },
  GLOBALLY_BANNED: { code: 400312, http: 403, message: 'This user is banned from the network.' },
  DUPLICATE: { code: 400315, http: 403, message: 'This already exists.' },
  NOT_BANNED: { code: 400316, http: 403, message: 'This user is not banned.' },
  LAST_MODERATOR: {
    code: 400317,
    http: 403,
    message: 'A community with other members must keep at least one moderator.',
  },
  LAST_MEMBER: {
    code: 400318,
    http: 403,
    message: 'The last member cannot leave: delete the community instead.',
  },
  BLOCK_LIMIT: { code: 400324, http: 403, message: 'The limit of blocked users is reached.' },
  BOT_DENIED: { code: 403998, http: 403, message: 'Sessions of bots are read-only.' },
  VISITOR_DENIED: { code: 403999, http: 403, message: 'Sessions of visitors are read-only: sign in first.' },
  NOT_FOUND: { code: 400400, http: 404, message: 'Not found.' },
  CURSOR_EXPIRED: {
    code: 410000,
    http: 410,
    message: 'Cursor expired: query eventCursor, read the data again, then subscribe after that cursor.',
  },
  CONFLICT: { code: 400900, http: 409, message: 'The record was changed concurrently.' },
  INVALID_PARAMETERS: { code: 500000, http: 422, message: 'Parameters validation error!' },
  TOO_LARGE: { code: 500000, http: 413, message: 'The request is too large.' },
  UNAVAILABLE: { code: 500000, http: 503, message: 'The service is temporarily unavailable.' },
  INTERNAL: { code: 500000, http: 500, message: 'Something went wrong.' },
} as const;

export type ErrorName = keyof typeof ERRORS;

/** An expected failure, whose message is shown to the client. All other errors are masked. */
export class OperationError extends Error {
  readonly errorName: ErrorName;
  /** One line for each invalid parameter. */
  readonly detail: readonly string[];
  /** When the reason of the failure ends by itself; null if it has no known end. */
  readonly expiresAt: Date | null;
  /** Path of the invalid input field. A property named `path` would make graphql-js treat the error as located. */
  readonly inputPath: readonly string[];

  constructor(
    errorName: ErrorName,
    options: { message?: string; detail?: readonly string[]; path?: readonly string[]; expiresAt?: Date } = {},
  ) {
    super(options.message ?? ERRORS[errorName].message);
    this.name = 'OperationError';
    this.errorName = errorName;
    this.detail = options.detail ?? [];
    this.inputPath = options.path ?? [];
    this.expiresAt = options.expiresAt ?? null;
  }

  get code(): number {
    return ERRORS[this.errorName].code;
  }

  get httpStatus(): number {
    return ERRORS[this.errorName].http;
  }
}

/** The same error whether the record does not exist or is not visible to the viewer. */
export function notFound(what: string): OperationError {
  return new OperationError('NOT_FOUND', { message: `${what} not found.` });
}
