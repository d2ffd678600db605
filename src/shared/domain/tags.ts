import { foldText } from './fold-text.ts'

/** How many different tags an account can have. */
export const MOST_TAGS_OF_ACCOUNT = 500

/** The most that one customer or contract can have. */
export const MOST_TAGS = 20
export const LONGEST_TAG = 40

/** Tags with the same key are one tag: "VIP" and "vip", "Café" and "cafe". */
export function tagKey(tag: string): string {
  return foldText(tag)
}

/** Each tag once, as it was written first. */
export function uniqueTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const tag of tags) if (!first.has(tagKey(tag))) first.set(tagKey(tag), tag)
  return [...first.values()]
}

/** Tags after some were added and others removed; undefined if that would be too many. */
export function changedTags(
  tags: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] | undefined {
  const removed = new Set(remove.map(tagKey))
  const changed = uniqueTags([...tags.filter((tag) => !removed.has(tagKey(tag))), ...add])
  return changed.length <= MOST_TAGS ? changed : undefined
}
