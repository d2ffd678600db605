/** What happened, as a heading. A kind that this version does not know yet is shown by its name. */
export function kindName(kind: string): string {
  return new Map(Object.entries(KINDS)).get(kind) ?? kind
}

const KINDS = {
  sent: 'Email accepted by the mail server',
  delivered: 'Email delivered',
  bounced: 'Email bounced',
  complained: 'Email reported as unwanted',
  mailed: 'Letter marked as mailed by its sender',
  corrected: 'Mark of the letter corrected by its sender',
  withdrawn: 'Mark of the letter withdrawn by its sender',
  answered: "Customer's answer",
  changed: 'Answer changed by the customer',
  decided: 'Decision about the answer',
}
