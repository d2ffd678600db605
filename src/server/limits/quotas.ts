/** How much an account may store. */
export interface Quotas {
  /** Customers and contracts together. */
  customersAndContracts: number
  /** Failed rows of imports. Each import keeps its first ones; those of the oldest imports are deleted first. */
  failedRows: number
  imports: number
  pdfs: number
  pdfBytes: number
}

/** For how many days history is kept. */
export interface Retention {
  failedRows: number
  /** Since they were read. */
  readNotifications: number
  /** Since they arrived. */
  unreadNotifications: number
  /** Since they were cleared; clearing can be undone until then. */
  clearedNotifications: number
  stripeEvents: number
  /** The last runs of jobs that no longer exist. */
  jobRuns: number
  /** How many emails were sent to customers on a day. */
  mailCounts: number
  /** An account and all its data, after its access has ended. */
  endedAccounts: number
}

export interface Storage {
  quotas: Quotas
  keptDays: Retention
}

const GIGABYTE = 1024 ** 3

export const STORAGE: Storage = {
  quotas: {
    customersAndContracts: 250_000,
    failedRows: 20_000,
    imports: 500,
    pdfs: 10_000,
    pdfBytes: 5 * GIGABYTE,
  },
  keptDays: {
    failedRows: 90,
    readNotifications: 180,
    unreadNotifications: 730,
    clearedNotifications: 1,
    stripeEvents: 30,
    jobRuns: 90,
    mailCounts: 7,
    endedAccounts: 90,
  },
}
