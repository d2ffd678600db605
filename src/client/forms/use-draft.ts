import { useState } from 'react'
import { changedFields, type IsSame } from './changed-fields.ts'

export interface DraftControl<Values extends object> {
  /** The saved values with what was entered. */
  draft: Values
  /** The fields that differ from what is saved. */
  changed: Partial<Values>
  isChanged: boolean
  change: (changes: Partial<Values>) => void
  /** Drops everything entered. */
  reset: () => void
  /** Drops these values, saved or discarded. What was entered since stays. */
  drop: (values: Partial<Values>) => void
}

/** A form over saved values, which may be refetched while somebody types. */
export function useDraft<Values extends object>(saved: Values, isSame?: IsSame<Values>): DraftControl<Values> {
  const [entered, setEntered] = useState<Partial<Values>>({})
  const draft = { ...saved, ...entered }
  const changed = changedFields<Values>(saved, draft, isSame)
  return {
    draft,
    changed,
    isChanged: Object.keys(changed).length > 0,
    change: (changes) => setEntered((before) => ({ ...before, ...changes })),
    reset: () => setEntered({}),
    drop: (values) => setEntered((before) => changedFields<Values>(values, before, isSame)),
  }
}
