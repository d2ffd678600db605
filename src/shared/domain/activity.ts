import { isOpen, type ContractStatus } from './contract-status.ts'

export const ACTIVITY_SUBJECTS = ['customer', 'contract'] as const
export type ActivitySubject = (typeof ACTIVITY_SUBJECTS)[number]

/** A field of a customer or contract, as the API names it, with its values before and after a change. */
export interface FieldChange {
  field: string
  before: FieldValue
  after: FieldValue
}

export type FieldValue = string | number | boolean | null

/** What happened to a customer or contract. */
export type ActivityAction =
  | 'created'
  | 'changed'
  | 'renewed'
  | 'ended'
  | 'expired'
  | 'reopened'
  | 'renewal_undone'
  | 'deleted'
  | 'restored'
  /** From the trash, for good. */
  | 'removed'

/**
 * What a change of a contract was, as seen from the fields that changed: a decision about its renewal changes several at
 * once. Nothing is stored of the kind of change, because any code may make it.
 */
export function actionOf(changes: readonly FieldChange[]): ActivityAction {
  const fields = new Map(changes.map((change) => [change.field, change]))
  const deletion = fields.get('deletedAt')
  if (deletion) return deletion.after === null ? 'restored' : 'deleted'
  const term = fields.get('term')
  if (term) return Number(term.after) > Number(term.before) ? 'renewed' : 'renewal_undone'
  const status = fields.get('status')
  const [wasOpen, staysOpen] = [isOpenStatus(status?.before), isOpenStatus(status?.after)]
  if (wasOpen && !staysOpen) return status?.after === 'expired' ? 'expired' : 'ended'
  if (staysOpen && !wasOpen) return 'reopened'
  const end = fields.get('endsOn')
  if (end) return end.after === null ? 'reopened' : 'ended'
  return 'changed'
}

function isOpenStatus(value: FieldValue | undefined): boolean {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the column takes no other values
  return typeof value === 'string' && isOpen(value as ContractStatus)
}
