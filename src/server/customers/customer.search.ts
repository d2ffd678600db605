import sql, { join, raw, type Sql } from 'sql-template-tag'

interface SearchIn {
  /** Otherwise phone, customer number, email, address and contacts as well. */
  nameAlone: boolean
}

/**
 * `matches`, a table of ids for a `with`: the account's customers one of whose fields, or a field of one of whose contacts,
 * contains the text, whatever its case and accents. The function uses the trigram index, which a policy would keep LIKE from.
 */
export function matchingCustomers(accountId: number, text: string, { nameAlone }: SearchIn): Sql {
  return sql`matches as materialized (
    select id from find_customers(${accountId}, ${text}, ${nameAlone}) id)`
}

/** The same as a condition on a customer `c`, without the index: for walking through a list in its order. */
export function customerMatches(text: string, { nameAlone }: SearchIn): Sql {
  // A pattern in a subquery is computed once, and not for each row.
  const contains = (searched: string, pattern: string) =>
    sql`${raw(searched)} like ((select ${raw(pattern)}(${text})) collate "C")`
  if (nameAlone) return contains(`split_part(c.search_text, E'\\n', 1)`, 'search_pattern')
  const phone = 'phone_text(x.phone)'
  const inContact = ['fold_text(x.name)', 'fold_text(x.email)', phone].map((text) => contains(text, 'search_pattern'))
  // The offset keeps the planner from reading all contacts of the account at once.
  return sql`(${contains('c.search_text', 'search_pattern')} or ${contains('c.search_text', 'digits_pattern')}
    or ${contains('fold_text(c.contact_name)', 'search_pattern')}
    or exists (select from customer_contacts x where x.account_id = c.account_id and x.customer_id = c.id
      and (${join(inContact, ' or ')} or ${contains(phone, 'digits_pattern')}) offset 0))`
}
