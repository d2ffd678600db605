type Defined<Changes> = { [Key in keyof Changes]: Exclude<Changes[Key], undefined> }

/** Only the fields that a caller sent, so that the others keep their values. */
export function withoutUndefined<Changes extends object>(changes: Changes): Defined<Changes> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the filter makes the claim true
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<Changes>
}
