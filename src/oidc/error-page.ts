import type { FastifyReply } from 'fastify';

export interface ErrorPage {
  status: number;
  /** For programs and for support requests. */
  code: string;
  message: string;
}

/** Answers a browser with a page that names an error. */
export function sendErrorPage(reply: FastifyReply, { status, code, message }: ErrorPage): FastifyReply {
  return reply
    .code(status)
    .header(
      'content-security-policy',
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="error-code" content="${escapeHtml(code)}">
<title>Sign-in failed</title>
<h1>Sign-in failed</h1>
<p>${escapeHtml(message)}</p>
<p><code>${escapeHtml(code)}</code></p>
</html>
`);
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
