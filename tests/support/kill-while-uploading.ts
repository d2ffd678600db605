import { once } from 'node:events'
import { expect } from 'vitest'
import { freePort, startApp } from './app-process.ts'
import { urlOf } from './full-server.ts'
import { holdBatchOf } from './held-batches.ts'
import type { World } from './world.ts'

interface Upload {
  path: string
  fileName: string
  content: string | Uint8Array
  key: string
  /** The customer at whose insertion the server is killed. */
  heldAt: string
}

/** Uploads a file to a server of its own, which is killed while it writes the file's rows. */
export async function killWhileUploading(
  world: World,
  { path, fileName, content, key, heldAt }: Upload,
): Promise<void> {
  const port = await freePort()
  const app = startApp({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: urlOf(world.connection),
    DATA_DIR: '.data/test-crash',
    LOG_LEVEL: 'error',
  })
  await app.says('TRAXX is ready at')
  const held = await holdBatchOf(world, heldAt)
  const form = new FormData()
  form.append('file', new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]), fileName)
  const headers = { authorization: `Bearer ${key}` }
  const answer = fetch(`http://localhost:${port}${path}`, { method: 'POST', body: form, headers }).catch(
    (error: unknown) => error,
  )
  await held.reached()
  app.child.kill('SIGKILL')
  await once(app.child, 'exit')
  expect(await answer).toBeInstanceOf(Error)
  await held.release()
}
