/**
 * Finds what a migration may not do while servers work: hold a lock on a table for as long as reading or rewriting it takes,
 * or take away what the older version still uses. Where a table is known to be small, or nothing uses what is taken away,
 * the statement says so: `-- may lock: the table has a row for each company`, `-- may break: unused since 0095`.
 */
export interface Finding {
  statement: string
  reason: string
}

interface Rule {
  kind: 'lock' | 'break'
  pattern: RegExp
  reason: string
}

/** For a statement about a table that exists already. */
const RULES: readonly Rule[] = [
  {
    kind: 'lock',
    pattern: /^create (?:unique )?index (?!concurrently)/,
    reason: 'create the index concurrently, alone in a migration without a transaction',
  },
  { kind: 'lock', pattern: /^reindex (?!.*concurrently)/, reason: 'reindex concurrently' },
  { kind: 'lock', pattern: /^(?:cluster|vacuum full|truncate|lock)\b/, reason: 'it locks the table until it ends' },
  { kind: 'lock', pattern: /^do\b/, reason: 'what a block of code locks is not seen here' },
  { kind: 'lock', pattern: /^update (?!.* where )/, reason: 'it locks all rows: change them in parts' },
  { kind: 'lock', pattern: /\balter (?:column )?\w+ (?:set data )?type\b/, reason: 'it rewrites the table' },
  { kind: 'lock', pattern: /\bset (?:logged|unlogged|tablespace)\b/, reason: 'it rewrites the table' },
  {
    kind: 'lock',
    pattern: /\badd (?:column )?\w+ [^,]*\bdefault (?:gen_random_uuid|uuidv\d|random|clock_timestamp|nextval)\b/,
    reason: 'a default that differs from row to row rewrites the table',
  },
  {
    kind: 'lock',
    pattern: /\badd (?:column )?\w+ [^,]*(?:\bserial\b|\bgenerated (?:always|by default) as)/,
    reason: 'a value that is computed for each row rewrites the table',
  },
  {
    kind: 'lock',
    pattern: /\bset not null\b/,
    reason: 'it reads the table: first add and validate a check constraint that the column is not null',
  },
  {
    kind: 'lock',
    pattern: /\badd (?:(?!\bnot valid\b).)*\b(?:foreign key|references|check)\b(?!.*\bnot valid\b)/,
    reason: 'it reads the table: add the constraint not valid, and validate it in a later migration',
  },
  {
    kind: 'lock',
    pattern: /\badd (?!.*\busing index\b).*\b(?:unique|primary key|exclude)\b/,
    reason: 'it builds an index: create it concurrently, then add the constraint using index',
  },
  { kind: 'break', pattern: /\brename\b/, reason: 'the older version uses the name: add a new one' },
  { kind: 'break', pattern: /\bdrop (?:table|column)\b/, reason: 'the older version may still use it' },
  {
    kind: 'break',
    pattern: /^alter table .*\bdrop (?!constraint|default|not|expression|identity|column)\w/,
    reason: 'the older version may still use it',
  },
]

export function lockingStatements(sql: string): Finding[] {
  const statements = split(sql)
  const created = new Set(statements.flatMap(({ text }) => tableOf(/^create (?:unlogged )?table/, text)))
  return statements.flatMap(({ text, comments }) => {
    const [table] = tableOf(/^(?:alter table|create (?:unique )?index .*? on|update|truncate)/, text)
    if (table !== undefined && created.has(table)) return []
    return RULES.filter(({ kind, pattern }) => pattern.test(text) && !comments.includes(`-- may ${kind}: `)).map(
      ({ reason }) => ({ statement: text, reason }),
    )
  })
}

function tableOf(beginning: RegExp, text: string): string[] {
  const name = new RegExp(`${beginning.source} (?:if (?:not )?exists )?(?:only )?(\\w+)`).exec(text)?.[1]
  return name === undefined ? [] : [name]
}

interface Statement {
  /** In lower case, on one line, without comments, texts and bodies of functions. */
  text: string
  comments: string
}

const BODY_OR_TEXT = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g
const COMMENT = /--[^\n]*/g

function split(sql: string): Statement[] {
  return sql
    .replaceAll(BODY_OR_TEXT, "''")
    .split(';')
    .map((statement) => ({
      text: statement.replaceAll(COMMENT, ' ').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
      comments: (statement.match(COMMENT) ?? []).join('\n'),
    }))
    .filter(({ text }) => text !== '')
}
