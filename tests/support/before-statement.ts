import type { Write } from '#server/db/database.ts'

/** Runs `work` before the statement of this number, counted from 1. */
export function beforeStatement(write: Write, number: number, work: () => Promise<unknown>): Write {
  let count = 0
  return new Proxy(write, {
    apply: async (target, self, statement) => {
      count += 1
      if (count === number) await work()
      return Reflect.apply(target, self, statement)
    },
  })
}
