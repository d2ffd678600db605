import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What the files import is loaded once. Screens share a page, and stay apart. */
const TOGETHER = { isolate: false }

/** After the tests of the server, which leave more of the cores to the browser journeys beside them. */
const LAST = { groupOrder: 1 }

/** Short files of tests that take long. Begun last, as Vitest would, one of them keeps all that comes after it waiting. */
const LONG =
  /\/(announced-against-planned|fuzz-\w+|hostile-files|kill-\w+|simulation|renewal-sequences|embedded-postgres|three-processes|refund|start|worker)\.test\.ts$/

/** A process prepares only so many statements, which the tests of many files exceed. */
const FRESH = /\/transactions\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const [fresh, others] = [sorted.filter(isFresh), sorted.filter((file) => !isFresh(file))]
    const { true: long = [], false: rest = [] } = Object.groupBy(others, ({ moduleId }) => `${LONG.test(moduleId)}`)
    return [...fresh, ...long, ...rest]
  }
}

function isFresh({ moduleId }: TestSpecification): boolean {
  return FRESH.test(moduleId)
}

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'shared',
          ...TOGETHER,
          sequence: LAST,
          include: ['src/shared/**/*.test.ts'],
          testTimeout: 60_000,
          setupFiles: ['tests/support/no-console-error.ts', 'tests/support/no-regexp-in-objects.ts'],
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
          setupFiles: ['tests/support/no-console-error.ts', 'tests/support/no-regexp-in-objects.ts'],
          globalSetup: ['tests/support/cluster.ts'],
          // A slow machine takes its time; what does not come at all still fails.
          testTimeout: 300_000,
          expect: { poll: { timeout: 120_000 } },
          hookTimeout: 300_000,
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
          // As long as the queries of Testing Library wait (tests/support/dom.ts).
          expect: { poll: { timeout: 20_000 } },
          setupFiles: [
            'tests/support/no-console-error.ts',
            'tests/support/no-regexp-in-objects.ts',
            'tests/support/dom.ts',
          ],
        },
      },
    ],
  },
})
