import type { Random } from '#support/random.ts'

export const WORDS = ['VIP', 'North', 'Retail', 'Café'] as const

/** Without case and accents, as tags are compared. */
export function tagKey(tag: string): string {
  return tag.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Some tags, each written in one of its ways. */
export function someTags(random: Random, share: number): string[] {
  return WORDS.filter(() => random.chance(share)).map((word) =>
    random.pick([word, word.toUpperCase(), tagKey(word)] as const),
  )
}

/** Without those that are removed, and with those that are added at the end. */
export function retagged(tags: readonly string[], { add, remove }: { add: string[]; remove: string[] }): string[] {
  const kept = tags.filter((tag) => !remove.map(tagKey).includes(tag))
  return [...kept, ...add.map(tagKey).filter((tag) => !kept.includes(tag))]
}
