import sql from 'sql-template-tag'

const EMAILS = sql`
  from reminders r where r.account_id = n.account_id and r.contract_id = n.contract_id
    and r.renewal_date = n.renewal_date and r.term_number = n.term_number and r.kind = 'notice'`

/** The emails by which notices `n` were given, from the ledger: sent within the window, and not bounced. */
export const EMAILS_THAT_COUNT = sql`
  ${EMAILS} and r.state in ('sent', 'delivered') and r.sent_on between n.first_day and n.last_day
    and 'email' = any(n.means)`

/** A condition on notices `n`: an email with the notice went out, or may have. */
export const WAS_EMAILED = sql`exists (select ${EMAILS} and r.state in ('sending', 'sent', 'delivered', 'bounced'))`
