import type { FastifyInstance } from 'fastify'

export interface SecurityTxtOptions {
  /** An email address, or the https address of a page. */
  contact: string
  origin: string
  now: () => Date
}

/** The standard recommends less than a year, so that a forgotten file expires. */
const VALID_MS = 180 * 86_400_000

/** Whom to tell of a vulnerability (RFC 9116). */
export async function securityTxt(app: FastifyInstance, { contact, origin, now }: SecurityTxtOptions) {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(now().getTime() + VALID_MS)
    const lines = [
      `Contact: ${contact.startsWith('https://') ? contact : `mailto:${contact}`}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${origin}/.well-known/security.txt`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
