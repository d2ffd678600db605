import type { FastifyInstance } from 'fastify'

/** The public half of the key that signs proofs, as a file for anybody who verifies a certificate. */
export async function proofKeyRoute(app: FastifyInstance, { publicPem }: { publicPem: string }) {
  app.get('/proof-key.pem', async (_request, reply) =>
    reply
      .type('application/x-pem-file')
      .headers({
        'content-disposition': 'attachment; filename="traxx-proof-key.pem"',
        'cache-control': 'public, max-age=3600',
      })
      .send(publicPem),
  )
}
