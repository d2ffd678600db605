const LETTER_KINDS = new Set(['mailed', 'corrected', 'withdrawn'])

const NAMES = new Map(
  Object.entries({
    sent: 'Email accepted by the mail server',
    delivered: 'Email delivered',
    bounced: 'Email bounced',
    complained: 'Email reported as unwanted',
    mailed: 'Letter: marked as mailed by the sender',
    corrected: 'Letter: mailing details corrected by the sender',
    withdrawn: 'Letter: no longer marked as mailed',
    answered: "Customer's answer",
    changed: 'Answer changed by the customer',
    decided: 'Decision about the answer',
  }),
)

/** What happened, as a heading. A kind that this version does not know yet is shown by its name. */
export function kindName(kind: string): string {
  return NAMES.get(kind) ?? kind
}

/** Whether this version knows the kind, so that it prints its records as the version that made them. */
export function isKnownKind(kind: string): boolean {
  return NAMES.has(kind)
}

/** Whether a record of this kind is what somebody said of a letter, which TRAXX does not mail itself. */
export function isOfLetter(kind: string): boolean {
  return LETTER_KINDS.has(kind)
}

/** What is said above the text of a part, by the name under which it was signed. */
export function textCaption(part: string): string {
  return part === 'letter'
    ? 'Text of the letter as TRAXX wrote it when it was marked as mailed. TRAXX did not mail it.'
    : 'Text as it was sent'
}
