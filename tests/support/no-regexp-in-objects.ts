import { expect } from 'vitest'

/** Within an object, `toMatchObject` accepts any value where a regular expression is expected, without matching it. */
expect.addEqualityTesters([
  (actual, expected) => {
    if (expected instanceof RegExp && !(actual instanceof RegExp))
      throw new Error(`Compare text with expect.stringMatching(${expected})`)
    return undefined
  },
])
