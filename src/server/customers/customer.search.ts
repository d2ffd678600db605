import sql, { raw, type Sql } from 'sql-template-tag'

interface SearchIn {
  /** Else phone and customer number as well. */
  nameAlone: boolean
}

/**
 * `matches`, a table of ids for a `with`: the account's customers with the text in a field, in any case. The
 * function looks into the trigram index, which a policy would keep LIKE from.
 */
export function matchingCustomers(accountId: number, text: string, { nameAlone }: SearchIn): Sql {
  return sql`matches as materialized (
    select id from find_customers(${accountId}, ${patternOf(text)}, ${nameAlone}) id)`
}

/** The same as a condition on a customer `c`, without the index: for walking through a list in its order. */
export function customerMatches(text: string, { nameAlone }: SearchIn): Sql {
  const searched = raw(nameAlone ? `split_part(c.search_text, E'\\n', 1)` : 'c.search_text')
  return sql`${searched} like (lower(${patternOf(text)} collate "und-x-icu") collate "C")`
}

// In what is searched each field is one line.
function patternOf(text: string): string {
  return likePattern(text.replaceAll('\n', ' '))
}

/** A LIKE pattern for "contains this text", in which the text's own % and _ mean themselves. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}
