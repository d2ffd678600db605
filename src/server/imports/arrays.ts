import { wireValue } from '#server/db/wire-value.ts'

/** Values as PostgreSQL writes an array of text: a batch goes over as one parameter a column. */
export function textArray(values: (string | null)[]): string {
  return wireValue(values) ?? '{}'
}

/** The same for numbers, days, truths and words of a fixed vocabulary, which need no quotes. */
export function plainArray(values: (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}
