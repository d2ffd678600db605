import pg from 'pg'

/** A deliberate fault of the product: statements are sent to the database with something else in them. */
export interface Break {
  /** What is then wrong. */
  name: string
  changes: [from: RegExp, to: string][]
}

/** Each of these the judge of the simulation has to find. */
export const BREAKS: Break[] = [
  {
    name: 'customers are reminded although their answer waits',
    changes: [[/w\.state = 'waiting'(\s+and w\.offer = [\s\S]{0,2000}?\) as "isAnswered")/g, `w.state = 'never'$1`]],
  },
  {
    name: 'owners are not told of answers',
    changes: [[/(n\.kind, n\.number,[\s\S]*?"termNumber" int\))/g, `$1 where n.recipient = 'customer'`]],
  },
  {
    name: 'an answer that was changed is told',
    changes: [
      [/(reason = 'answer_changed'[\s\S]*) and state = 'planned'/g, `$1 and state = 'never'`],
      [/w\.state <> 'withdrawn'(\s+and \(w\.agreed)/g, 'true$1'],
    ],
  },
  {
    name: 'an answer that was undone is told',
    changes: [[/and \(w\.agreed is null or/g, 'and (true or w.agreed is null or']],
  },
  {
    name: 'links that were withdrawn take answers',
    changes: [[/l\.revoked_at as "revokedAt"/g, 'null::timestamptz as "revokedAt"']],
  },
  {
    name: 'customers can answer at any time',
    changes: [
      [/s\.deadline as "deadline"/g, `'open' as "deadline"`],
      [/s\.deadline(,|\s)/g, `'open' as deadline$1`],
    ],
  },
  {
    name: 'a late "do not renew" is passed on in any case',
    changes: [[/s\.late_end as "lateEnd"/g, `'pass_on' as "lateEnd"`]],
  },
  {
    name: 'every Renew takes effect at once',
    changes: [
      [/s\.renewal as "renewal"/g, `'at_once' as "renewal"`],
      [/s\.renewal(,|\s)/g, `'at_once' as renewal$1`],
    ],
  },
  {
    name: 'the least specific choice of a rule counts',
    changes: [[/order by h\.rank, h\.rule_id/g, 'order by h.rank desc, h.rule_id']],
  },
  {
    name: 'a letter stops no email',
    changes: [
      [/n\.posted_on is null(\s+and 'email')/g, 'true$1'],
      [/n\.posted_on is not null\) then/g, 'false) then'],
    ],
  },
  {
    name: 'notices are planned every day',
    changes: [[/greatest\(r\.due_on, r\.sent_on\), 'state'/g, `date '1990-01-01', 'state'`]],
  },
  {
    name: 'a notice that bounced counts',
    changes: [
      [
        /r\.state in \('sent', 'delivered'\) and r\.sent_on/g,
        `r.state in ('sent', 'delivered', 'bounced') and r.sent_on`,
      ],
    ],
  },
  {
    name: 'windows that closed are forgotten',
    changes: [[/(delete from notices n where[\s\S]*?)n\.last_day >=/g, '$1n.last_day is distinct from']],
  },
  {
    name: 'a letter that is withdrawn stays',
    changes: [
      [
        /update notices n set posted_on = null, mail_number = null, posted_at = null/g,
        'update notices n set mail_number = null',
      ],
    ],
  },
  {
    name: 'owners are not warned of windows that close',
    changes: [[/(update notices n set warned_days[\s\S]*?where )n\.account_id/g, '$1n.id < 0 and n.account_id']],
  },
  {
    name: 'owners are warned although notice was given',
    changes: [
      [
        /and not \(n\.posted_on is not null or exists \(([\s\S]*?)\)\)(\s+order by k\.id)/g,
        'and (true or exists ($1))$2',
      ],
    ],
  },
]

/** Breaks the product in this process from now on. Returns which of the changes no statement had a use for so far. */
export function breakProduct({ changes }: Break): () => RegExp[] {
  const used = new Set<RegExp>()
  const rewritten = (text: string) =>
    changes.reduce((sofar, [from, to]) => {
      const broken = sofar.replaceAll(from, to)
      if (broken !== sofar) used.add(from)
      return broken
    }, text)
  // Where every statement with parameters passes, whoever sends it.
  const { prototype } = pg.Connection
  const parse: unknown = Reflect.get(prototype, 'parse')
  if (typeof parse !== 'function') throw new Error('Connections of pg have a function that sends statements')
  Reflect.set(prototype, 'parse', function parseBroken(this: unknown, query: { text: string }, more: boolean) {
    Reflect.apply(parse, this, [{ ...query, text: rewritten(query.text) }, more])
  })
  return () => changes.map(([from]) => from).filter((from) => !used.has(from))
}
