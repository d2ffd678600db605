import sql from 'sql-template-tag'
import { tagResult, type TagRequest } from '#shared/domain/bulk-change.ts'
import { tagKey } from '#shared/domain/tags.ts'
import type { Selection } from '#shared/schemas/bulk.ts'
import type { ReaderContext } from '#server/context.ts'
import { RuledTag, ruledTags } from '#server/notice-rules/ruled-tags.ts'
import { type AnnouncedNotices, countNoticesOfTags, NO_NOTICES } from '#server/reminders/count-notices-of-tags.ts'
import { selectedContracts } from './selection.ts'

/** The notices by email that a change of tags would bring customers today, where rules are chosen for tags. */
export async function countTagNotices(
  ctx: ReaderContext,
  contracts: Selection,
  change: TagRequest,
): Promise<AnnouncedNotices> {
  const { read, accountId, today } = ctx
  const keys = [...change.add, ...change.remove].map(tagKey)
  const named = await read(ruledTags(accountId, sql`t.key = any(${keys}::text[])`), RuledTag)
  if (!named.some(({ hasRule }) => hasRule)) return NO_NOTICES
  const spelled = new Map(named.map(({ key, name }) => [key, name]))
  return countNoticesOfTags(ctx, {
    contracts: selectedContracts(accountId, contracts, today),
    retag: ({ tags, customerTags }) => {
      const result = tagResult(tags, change)
      if (!('tags' in result)) return undefined
      return { tags: result.tags.map((tag) => spelled.get(tagKey(tag)) ?? tag), customerTags }
    },
  })
}
