/** What happens on the renewal date if nobody has decided: a new term, nothing, or the end of the contract. */
export const RENEWS = ['automatic', 'by_agreement', 'never'] as const
export type Renews = (typeof RENEWS)[number]
