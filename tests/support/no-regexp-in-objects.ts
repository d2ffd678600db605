import { expect } from 'vitest'

/** Within an object, `toMatchObject` takes any value for a regular expression, without matching it. */
expect.addEqualityTesters([
  (actual, expected) => {
    if (expected instanceof RegExp && !(actual instanceof RegExp))
      throw new Error(`Compare text with expect.stringMatching(${expected})`)
    return undefined
  },
])
