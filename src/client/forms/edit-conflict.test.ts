import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeOf } from './edit-conflict.ts'

const values = fc.record({ name: fc.constantFrom('a', 'b', 'c'), phone: fc.constantFrom('', '1', '2') })

test('a merge has what either has changed, and names what both have changed to something else', () => {
  fc.assert(
    fc.property(values, values, values, (before, mine, theirs) => {
      const { merged, fields } = mergeOf({ before, mine, theirs })
      for (const name of ['name', 'phone'] as const) {
        const [iChanged, theyChanged] = [mine[name] !== before[name], theirs[name] !== before[name]]
        expect(merged[name]).toBe(iChanged ? mine[name] : theirs[name])
        expect(fields.includes(name)).toBe(iChanged && theyChanged && mine[name] !== theirs[name])
      }
    }),
  )
})
