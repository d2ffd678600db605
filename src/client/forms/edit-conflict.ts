import type { RefusalKey } from '#shared/errors.ts'
import { failureOf } from '#client/api/trpc.ts'

/** What a form holds of a row that is edited, besides its fields: the version that was opened. */
export interface Versioned {
  version: number
}

/** Somebody has changed the same fields of a row as the person who edits it. */
export class EditConflict<Values> extends Error {
  /** The row as it is now. */
  readonly theirs: Values
  /** The same with what was entered. */
  readonly merged: Values
  readonly fields: (keyof Values)[]

  constructor({ theirs, merged, fields }: Pick<EditConflict<Values>, 'theirs' | 'merged' | 'fields'>) {
    super('Somebody has changed the same fields')
    this.theirs = theirs
    this.merged = merged
    this.fields = fields
  }
}

const CHANGED = new Set<RefusalKey | undefined>(['CUSTOMER_CHANGED', 'CONTACT_CHANGED', 'CONTRACT_CHANGED'])

/** An edit of a row: what was entered, the row as it was opened, and how it is saved. */
export interface Edit<Values, Saved> {
  values: Values
  before: Values
  save: (values: Values, before: Values) => Promise<Saved>
  /** The values of the row as it is now. It may throw the refusal instead. */
  current: (refusal: unknown) => Promise<Values>
}

/**
 * Saves an edit. If the row has been changed since it was opened, the changes of both are put together.
 * @throws EditConflict if both have changed the same field
 */
export async function saveMerged<Values extends Versioned, Saved>(edit: Edit<Values, Saved>): Promise<Saved> {
  const { values, before, save, current } = edit
  try {
    return await save(values, before)
  } catch (error) {
    if (!CHANGED.has(failureOf(error).refusal)) throw error
    const theirs = await current(error)
    const { merged, fields } = mergeOf({ before, mine: values, theirs })
    if (fields.length > 0) throw new EditConflict({ theirs, merged, fields })
    return saveMerged({ ...edit, values: merged, before: theirs })
  }
}

/** Their values with mine where I have changed them, and the fields that both have changed to something else. */
export function mergeOf<Values extends object>({ before, mine, theirs }: Record<'before' | 'mine' | 'theirs', Values>) {
  const merged = { ...theirs }
  const fields: (keyof Values)[] = []
  for (const name in mine) {
    if (Object.is(mine[name], before[name])) continue
    merged[name] = mine[name]
    const areDifferent = !Object.is(theirs[name], before[name]) && !Object.is(theirs[name], mine[name])
    if (areDifferent) fields.push(name)
  }
  return { merged, fields }
}
