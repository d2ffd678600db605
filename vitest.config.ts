import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** What the files import is loaded once. Screens share a page, and stay apart. */
const TOGETHER = { isolate: false }

/** After the tests of the server: those often wait, and leave the cores to the browser journeys beside them. */
const LAST = { groupOrder: 1 }

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'shared',
          ...TOGETHER,
          sequence: LAST,
          include: ['src/shared/**/*.test.ts'],
          testTimeout: 60_000,
          setupFiles: ['tests/support/no-console-error.ts'],
        },
      },
      {
        test: {
          name: 'server',
          ...TOGETHER,
          include: [
            'src/server/**/*.test.ts',
            'standins/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/server/**/*.test.ts',
          ],
          setupFiles: ['tests/support/no-console-error.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          // A slow machine takes its time; what does not come at all still fails.
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'client',
          ...TOGETHER,
          sequence: LAST,
          include: ['src/client/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          testTimeout: 60_000,
          setupFiles: ['tests/support/no-console-error.ts', 'tests/support/dom.ts'],
        },
      },
    ],
  },
})
