export type IsSame<Values> = (one: Values[keyof Values], other: Values[keyof Values]) => boolean

/** The values that differ from `before`. A form sends no others: somebody may have changed those meanwhile. */
export function changedFields<Values extends object>(
  before: Partial<NoInfer<Values>>,
  values: Partial<Values>,
  isSame: IsSame<NoInfer<Values>> = isSameField,
): Partial<Values> {
  const changed: Partial<Values> = {}
  for (const name in values) {
    const old = before[name]
    const value = values[name]
    if (value !== undefined && (old === undefined || !isSame(old, value))) changed[name] = value
  }
  return changed
}

/** Whether a field has the same value, or the same list of texts. */
function isSameField(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (Array.isArray(one) && Array.isArray(other) && one.join(',') === other.join(','))
}
