import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { iconsApart } from './scripts/icons-apart.ts'
import { unusedColors } from './scripts/unused-colors.ts'

const client = join(import.meta.dirname, 'src/client')

// Left alone, what screens share would be fifty files, most of them smaller than the request for them. What a dialog
// or a form needs is heavy, and stays apart from what every screen needs: it is fetched when one is about to open.
const FLOATING = 'Popover|Combobox|Menu|Tooltip|Modal|ModalBase|Drawer|Select|FocusTrap|ScrollArea|Overlay'
const SCREEN_PARTS =
  'Checkbox|Divider|NativeSelect|Table|NumberInput|PasswordInput|Tabs|SegmentedControl|FloatingIndicator|Switch|Textarea|List'
const FLOATING_HOOKS =
  'use-(long-press|focus-trap|focus-return|click-outside|clipboard|timeout|mutation-observer|shallow-effect|debounced-value|force-update|uncontrolled)'
const UI = new RegExp(
  String.raw`node_modules[\\/](clsx|@mantine[\\/](hooks[\\/]esm[\\/](?!${FLOATING_HOOKS})|core[\\/]esm[\\/](core|components[\\/](?!(${FLOATING}|${SCREEN_PARTS})[\\/]))))`,
)

const COMMON =
  /src[\\/](client[\\/](api|app|browser|forms|list|mail|shell|text|ui)[\\/](?!.*(dialog|upload|front-card))|shared[\\/](?!schemas|errors|[^\\/]+refusals))/

const DATA = /node_modules[\\/](@trpc|superjson|copy-anything|is-what|@tanstack[\\/](query-core|react-query))[\\/]/
// Left with the entry, it would have files import each other, and so run all at once.
const BASE =
  /src[\\/](client[\\/](api[\\/](trpc|rest-failure)|text[\\/]format)\.ts|shared[\\/](screen-refusals|schemas[\\/]filters|domain[\\/](day|contract-status|renewal-cycle))\.ts)/

const CHUNKS = [
  { name: 'zod', test: /node_modules[\\/]zod[\\/]/, priority: 4 },
  { name: 'clerk', test: /node_modules[\\/]@clerk[\\/]/, priority: 4 },
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/, priority: 4 },
  { name: 'data', test: DATA, priority: 3 },
  { name: 'ui', test: UI, minShareCount: 3, priority: 2 },
  {
    name: 'router',
    test: /@tanstack[\\/](router|react-router|history|react-store|store)(?!.*useBlocker)/,
    minShareCount: 2,
    priority: 1,
  },
  { name: 'icons', test: /react-icons/, minShareCount: 2, priority: 2 },
  { name: 'common', test: COMMON, minShareCount: 4 },
  { name: 'base', test: BASE, priority: 1 },
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
    iconsApart(),
    unusedColors(),
  ],
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: join(import.meta.dirname, 'dist/client'),
    // What knows light-dark(), which lowering would take away.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // Every browser that this is built for preloads modules by itself.
    modulePreload: { polyfill: false },
    // Of which screens the server renders ahead, it is to say what they link to.
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false } } },
  },
})
