import type { AnswerPreferences } from '#shared/domain/customer-answer.ts'

export const RENEWAL_WORDS: Record<AnswerPreferences['renewal'], string> = {
  waits: 'It waits until you accept it',
  at_once: 'The contract is renewed at once',
}

export const DEADLINE_WORDS: Record<AnswerPreferences['deadline'], string> = {
  open: 'While the contract is open',
  renewal: 'Until the renewal date',
  notice: 'Until the last day for notice',
}

export const LATE_WORDS: Record<AnswerPreferences['lateEnd'], string> = {
  pass_on: 'It waits until you accept it',
  refuse: 'It is refused',
}

interface Option<Value> {
  value: Value
  label: string
}

/** The options of a select, in their order. */
export function optionsOf<Value extends string>(words: Record<Value, string>): Option<Value>[] {
  return keysOf(words).map((value) => ({ value, label: words[value] }))
}

/** What a select gives back; undefined if it is none of its options. */
export function oneOfOptions<Value extends string>(words: Record<Value, string>, value: string): Value | undefined {
  return keysOf(words).find((one) => one === value)
}

function keysOf<Value extends string>(words: Record<Value, string>): Value[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a record has no other keys
  return Object.keys(words) as Value[]
}
