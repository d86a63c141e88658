import type { JsonSchema } from './answer-schema.ts';

/** The part of an OpenAPI document that {@link withSessionCookie} changes. */
interface OpenApiDocument {
  paths: { [path: string]: { [method: string]: { security?: JsonSchema[] } } };
  components: { securitySchemes: { [name: string]: JsonSchema } };
}

const DESCRIPTION =
  'Set by a sign-in with the header `X-Session: cookie`. A POST also needs the content type `application/json` or that header.';

/** Adds the cookie of a session (`SESSION_COOKIES`) to every operation that accepts an access token, as an alternative to it. */
export function withSessionCookie<Document extends object>(document: Document, name: string): Document {
  const { paths, components } = document as Document & OpenApiDocument;
  components.securitySchemes.sessionCookie = { type: 'apiKey', in: 'cookie', name, description: DESCRIPTION };
  for (const operations of Object.values(paths)) {
    for (const { security } of Object.values(operations)) {
      // With an alternative, such as the server key of webhooks, the Bearer token is no access token.
      if (security?.length === 1 && 'bearer' in security[0]!) security.push({ sessionCookie: [] });
    }
  }
  return document;
}
