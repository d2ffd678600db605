/** Who a transaction is done for, as set in `app.actor` while it runs: records of changes name it. */
export type Actor =
  /** Somebody who has signed in, by the account. */
  | `person:${number}`
  | `key:${number}`
  | `import:${number}`
  | `job:${string}`
  /** Whoever follows the link in an email to this customer. */
  | `customer:${number}`
  /** TRAXX itself, before it knows who asks: it opens accounts, follows their address and name, and counts. */
  | 'traxx'
  /** Webhooks of the payment and of the mail provider. */
  | 'stripe'
  | 'mail-provider'
  /** A command at the server's console. */
  | 'operator'
  /** Nobody said who; every way into the server says it. */
  | ''
