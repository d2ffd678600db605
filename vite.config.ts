import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { screenChunks, sharedMantine } from './scripts/screen-chunks.ts'
import { splitIcons } from './scripts/split-icons.ts'
import { unusedColors } from './scripts/unused-colors.ts'

const client = join(import.meta.dirname, 'src/client')

const CHUNKS = [
  // What every signed-in screen needs is one file.
  { name: 'app', tags: ['$initial' as const], priority: 100 },
  { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 99 },
  { name: 'mantine', test: sharedMantine(join(client, 'app/mantine-styles.ts')), minShareCount: 3, priority: 99 },
  ...screenChunks(join(client, 'routes')),
]

export default defineConfig({
  root: client,
  cacheDir: join(import.meta.dirname, 'node_modules/.vite'),
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: join(client, 'routes'),
      generatedRouteTree: join(client, 'routeTree.gen.ts'),
      tmpDir: join(import.meta.dirname, 'node_modules/.cache/router'),
      routeFileIgnorePattern: '\\.test\\.',
      quoteStyle: 'single',
      semicolons: false,
      addExtensions: true,
      disableLogging: true,
      autoCodeSplitting: true,
      codeSplittingOptions: {
        // What a route shows while loading or failing stays out of the entry too.
        defaultBehavior: [['component', 'pendingComponent', 'errorComponent', 'notFoundComponent']],
      },
    }),
    react(),
    splitIcons(),
    unusedColors(),
  ],
  // For what Vite adds during development: the server replaces it with each response's nonce.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: join(import.meta.dirname, 'dist/client'),
    // What knows light-dark(), which lowering would take away.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Says which files each page needs (scripts/page-files.ts).
    manifest: true,
    // Every browser that this is built for preloads modules by itself.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(client, 'main.tsx'),
      // Short names: each file lists those that it imports, and the app's own script all of them.
      output: {
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
})
