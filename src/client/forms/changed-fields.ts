export type IsSame<Values> = (one: Values[keyof Values], other: Values[keyof Values]) => boolean

/** The values that differ from `before`. A form sends no others: somebody may have changed those meanwhile. */
export function changedFields<Values extends object>(
  before: Partial<NoInfer<Values>>,
  values: Partial<Values>,
  isSame: IsSame<NoInfer<Values>> = Object.is,
): Partial<Values> {
  const changed: Partial<Values> = {}
  for (const name in values) {
    const old = before[name]
    const value = values[name]
    if (value !== undefined && (old === undefined || !isSame(old, value))) changed[name] = value
  }
  return changed
}
