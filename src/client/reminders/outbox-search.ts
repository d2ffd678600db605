import { POSITION_DEFAULTS, POSITION_READERS, type ListPosition } from '#client/list/list-position.ts'
import { oneOf, searchReader } from '#client/list/search-params.ts'
import type { LedgerMessage } from './reminder-words.ts'

type State = LedgerMessage['state']

/** What the outbox keeps in its address. */
export interface OutboxSearch extends ListPosition {
  tab: 'coming' | 'ledger'
  state?: State | undefined
}

export const OUTBOX_DEFAULTS = { tab: 'coming', ...POSITION_DEFAULTS } as const

const STATES = ['planned', 'sending', 'sent', 'delivered', 'skipped', 'failed', 'bounced'] as const

export const outboxSearch = searchReader<OutboxSearch>(
  { tab: oneOf(['coming', 'ledger']), state: oneOf(STATES), ...POSITION_READERS },
  OUTBOX_DEFAULTS,
)
