/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Input of `createSession`. The `X-API-Key` header names the network. */
export type CreateSessionInput = {
  /** Token created by `mintAuthToken`; required in secure mode and for users with a network-wide role. At most 2,000 characters. */
  authToken?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Id of the device. Sessions of other users on it end. At most 150 characters. */
  deviceId?: string | null | undefined;
  /** Display name of a new user; `userId` by default. At most 100 characters. */
  displayName?: string | null | undefined;
  /** Public id of the user. An unknown user is created, unless the network forbids it. 1 to 50 characters. */
  userId: string;
};

/** Error code. Each description names the numeric code and the HTTP status of REST. The viewer is the signed-in user. */
export type ErrorCode =
  /** The request is malformed, or the current state of a record does not allow the operation. REST: code 400000, HTTP status 400. */
  | 'BAD_REQUEST'
  /** The viewer is banned from the community or channel. REST: code 400304, HTTP status 403. */
  | 'BANNED'
  /** The text contains a word that the network blocks. REST: code 400308, HTTP status 403. */
  | 'BLOCKED_WORD'
  /** The viewer has blocked the maximum number of users. REST: code 400324, HTTP status 403. */
  | 'BLOCK_LIMIT'
  /** The viewer is a bot, whose session is read-only. REST: code 403998, HTTP status 403. */
  | 'BOT_DENIED'
  /** A user to ban has a higher rank than the viewer, or is the viewer. REST: code 400306, HTTP status 403. */
  | 'CANNOT_BAN'
  /** The channel is muted; only users who can mute it can send messages. REST: code 400303, HTTP status 403. */
  | 'CHANNEL_MUTED'
  /** A concurrent change or the status of the record prevents the operation, or an idempotency key was used for another request. REST: code 400900, HTTP status 409. */
  | 'CONFLICT'
  /** Events after this cursor are no longer retained: refetch, then resubscribe without a cursor. REST: code 410000, HTTP status 410. */
  | 'CURSOR_EXPIRED'
  /** A record with this id, or a vote of the viewer, already exists. REST: code 400315, HTTP status 403. */
  | 'DUPLICATE'
  /** The viewer is not allowed to do this, for example because only members are. REST: code 400300, HTTP status 403. */
  | 'FORBIDDEN'
  /** The user is banned from the network, or their account is deleted. REST: code 400312, HTTP status 403. */
  | 'GLOBALLY_BANNED'
  /** Unexpected error, reported in the log of the server. REST: code 500000, HTTP status 500. */
  | 'INTERNAL'
  /** A parameter is missing, malformed or out of bounds; `detail` names each one. REST: code 500000, HTTP status 422. */
  | 'INVALID_PARAMETERS'
  /** The community would have no members; delete it instead. REST: code 400318, HTTP status 403. */
  | 'LAST_MEMBER'
  /** The community would have members but no moderator. REST: code 400317, HTTP status 403. */
  | 'LAST_MODERATOR'
  /** The text contains a link that the network does not allow. REST: code 400309, HTTP status 403. */
  | 'LINK_NOT_ALLOWED'
  /** A user to unban is not banned. REST: code 400316, HTTP status 403. */
  | 'NOT_BANNED'
  /** The record does not exist, or the viewer cannot see it. REST: code 400400, HTTP status 404. */
  | 'NOT_FOUND'
  /** The viewer lacks the permission that the operation requires. REST: code 400301, HTTP status 403. */
  | 'PERMISSION_DENIED'
  /** Too many requests, connections or messages; retry later. REST: code 400311, HTTP status 429. */
  | 'RATE_LIMITED'
  /** The request, an uploaded file or the response exceeds a size limit. REST: code 500000, HTTP status 413. */
  | 'TOO_LARGE'
  /** The access token or key is missing, invalid or expired. REST: code 400100, HTTP status 401. */
  | 'UNAUTHORIZED'
  /** The service or its database is temporarily unavailable or took too long; retry later. REST: code 500000, HTTP status 503. */
  | 'UNAVAILABLE'
  /** The uploaded file has a format that the route does not accept. REST: code 400002, HTTP status 415. */
  | 'UNSUPPORTED_FORMAT'
  /** The viewer is muted in the channel and cannot send messages. REST: code 400302, HTTP status 403. */
  | 'USER_MUTED'
  /** The viewer is a visitor, whose session is read-only. REST: code 403999, HTTP status 403. */
  | 'VISITOR_DENIED';

export type SignInMutationVariables = Exact<{
  input: CreateSessionInput;
}>;


export type SignInMutation = { createSession:
    | { __typename: 'CreateSessionPayload', session: { accessToken: string, expiresAt: string, user: { userId: string } } }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { revokeSession:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RevokeSessionPayload', success: boolean }
   };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { id: string, userId: string, displayName: string, roles: Array<string>, permissions: Array<string> } | null, viewerCommunities: { edges: Array<{ node: { id: string, viewerMembership: { id: string, permissions: Array<string> } | null } }> }, viewerChannels: { edges: Array<{ node: { id: string, viewerCanModerate: boolean } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const SignInDocument = new TypedDocumentString(`
    mutation SignIn($input: CreateSessionInput!) {
  createSession(input: $input) {
    __typename
    ... on CreateSessionPayload {
      session {
        accessToken
        expiresAt
        user {
          userId
        }
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SignInMutation, SignInMutationVariables>;
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  revokeSession(input: {}) {
    __typename
    ... on RevokeSessionPayload {
      success
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    id
    userId
    displayName
    roles
    permissions
  }
  viewerCommunities(first: 100) {
    edges {
      node {
        id
        viewerMembership {
          id
          permissions
        }
      }
    }
  }
  viewerChannels(first: 100) {
    edges {
      node {
        id
        viewerCanModerate
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;