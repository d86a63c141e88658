import type { FastifyReply } from 'fastify';

/** Adds a request header to those that select the answer (RFC 9110, section 12.5.5). */
export function appendVary(reply: FastifyReply, name: string): void {
  const given = String(reply.getHeader('vary') ?? '');
  const names = given.split(',').map((one) => one.trim().toLowerCase());
  if (names.includes(name.toLowerCase()) || names.includes('*')) return;
  reply.header('vary', given ? `${given}, ${name}` : name);
}
