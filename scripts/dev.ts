import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import fastifyMiddie from '@fastify/middie'
import { createServer, type ViteDevServer } from 'vite'
import { run } from '#server/boot/run.ts'
import type { Pages } from '#server/pages/built-pages.ts'
import { builtPages } from '#server/pages/built-pages.ts'

const ROOT = resolve(import.meta.dirname, '..')
const vite = await createServer({
  root: resolve(ROOT, 'src/client'),
  configFile: resolve(ROOT, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true },
})

/** The app's shell comes from Vite with hot reload; whole pages come from the last build. */
function vitePages(server: ViteDevServer): Pages {
  const built = builtPages(resolve(ROOT, 'dist/client'))
  return {
    folder: undefined,
    text: async (file, url) => {
      if (file !== 'index.html') return built.text(file, url)
      return server.transformIndexHtml(url, await readFile(resolve(ROOT, 'src/client/index.html'), 'utf8'))
    },
  }
}

await run({
  pages: vitePages(vite),
  plugin: async (app) => {
    await app.register(fastifyMiddie)
    app.use(vite.middlewares)
  },
})
