/** The values that differ from `before`. A form sends no others: somebody may have changed those meanwhile. */
export function changedFields<Values extends object>(before: NoInfer<Values>, values: Values): Partial<Values> {
  const changed: Partial<Values> = {}
  for (const name in values) if (values[name] !== before[name]) changed[name] = values[name]
  return changed
}
