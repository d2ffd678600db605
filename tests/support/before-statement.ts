import type { Write } from '#server/db/database.ts'

/**
 * Runs `work` before the first statement with this text. Statements that are kept for the next one (`later`) are not looked
 * at: they are sent after it. The caller has to assert that `work` ran.
 */
export function beforeStatement(write: Write, text: RegExp, work: () => Promise<unknown>): Write {
  let hasRun = false
  return new Proxy(write, {
    apply: async (target, self, args: Parameters<Write>) => {
      if (!hasRun && text.test(args[0].sql)) {
        hasRun = true
        await work()
      }
      return Reflect.apply(target, self, args)
    },
  })
}
