import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ClerkError } from './errors.ts'

const A_YEAR = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/** clerk-js itself, which Clerk serves from its CDN: the files of the installed package and no others. */
export async function scripts(app: FastifyInstance): Promise<void> {
  const dist = dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js'))
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')))
  const files = new Set(readdirSync(dist).filter((name) => name.endsWith('.js')))
  const zipped = new Map<string, Promise<Buffer>>()

  app.get('/npm/@clerk/clerk-js@:version/dist/:file', async (request, reply) => {
    const asked = z.object({ version: z.string(), file: z.string() }).parse(request.params)
    if (!files.has(asked.file) || !`${version}.`.startsWith(`${asked.version}.`)) {
      throw new ClerkError('resource_not_found')
    }
    const isFixed = asked.version === version || asked.file.includes(version)
    reply.header('cache-control', isFixed ? A_YEAR : AN_HOUR).header('etag', `"${version}"`)
    return sendScript(request, reply, { path: join(dist, asked.file), version, zipped })
  })
}

interface Script {
  path: string
  version: string
  zipped: Map<string, Promise<Buffer>>
}

async function sendScript(request: FastifyRequest, reply: FastifyReply, { path, version, zipped }: Script) {
  if (request.headers['if-none-match'] === `"${version}"`) return reply.code(304).send()
  reply.header('vary', 'Accept-Encoding').type('text/javascript; charset=utf-8')
  if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(await readFile(path))
  const content = zipped.get(path) ?? zip(path)
  zipped.set(path, content)
  return reply.header('content-encoding', 'gzip').send(await content)
}

async function zip(path: string): Promise<Buffer> {
  return promisify(gzip)(await readFile(path))
}
