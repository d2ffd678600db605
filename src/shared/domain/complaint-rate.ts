/** How many complaints an account may have before its mail to customers is paused; set by the operator. */
export interface ComplaintLimits {
  /** Below this number of complaints, mail is never paused, however large their share. */
  most: number
  /** One complaint is tolerated for this many emails. */
  perMails: number
  /** Before the first payment, this many are enough, however small their share. */
  mostInTrial: number
}

export const COMPLAINT_LIMITS: ComplaintLimits = { most: 3, perMails: 200, mostInTrial: 2 }

/** The days in which complaints and emails are counted. */
export const COMPLAINT_DAYS = 30

export interface ComplaintCount {
  /** How many readers complained in these days. */
  complaints: number
  /** How many emails went to customers in the same days. */
  mails: number
  /** Whether the account has paid. */
  isPaying: boolean
}

/** Whether there are enough complaints to pause mail to customers. */
export function isOverComplaintRate({ complaints, mails, isPaying }: ComplaintCount, limits: ComplaintLimits): boolean {
  if (!isPaying && complaints >= limits.mostInTrial) return true
  return complaints >= limits.most && complaints * limits.perMails > mails
}
