/** How many complaints an account may have before its mail to customers is paused; set by the operator. */
export interface ComplaintLimits {
  /** With fewer complaints than this, mail is never stopped, whatever their share. */
  most: number
  /** The number of emails for which one complaint is accepted. */
  perMails: number
  /** Before the first payment this many are enough, whatever their share. */
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
