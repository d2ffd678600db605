/** On whose behalf a transaction runs, as set in `app.actor`, so that records of changes can name them. */
export type Actor =
  /** The signed-in person of an account. */
  | `person:${number}`
  | `key:${number}`
  | `import:${number}`
  | `job:${string}`
  /** The reader of an email to this customer, through its links. */
  | `customer:${number}`
  /** Somebody with a link from an email that has not been checked yet and may name any account. */
  | 'link'
  /** Somebody whose link was found to be the server's own, until it is known to whom it was sent. */
  | 'checked-link'
  /** TRAXX itself, where no caller is known: it opens accounts, updates their address and name, counts requests, and reads logos and metrics. */
  | 'traxx'
  /** Webhooks of the payment and the mail provider. */
  | 'stripe'
  | 'mail-provider'
  /** A command at the server's console. */
  | 'operator'
  /** No actor was set; every entry point of the server sets one. */
  | ''
