import type { TextKind } from '#shared/domain/reminder-text.ts'
import { oneOf, searchReader } from '#client/list/search-params.ts'

/** Which text is open. */
export interface TextsSearch {
  kind: TextKind
}

export const TEXTS_DEFAULTS = { kind: 'reminder' } as const

// Not from the table of texts, which would be fetched with every page.
const KINDS = ['reminder', 'follow_up'] as const satisfies TextKind[]

export const textsSearch = searchReader<TextsSearch>({ kind: oneOf(KINDS) }, TEXTS_DEFAULTS)
