import fc from 'fast-check'

/** What superjson is told about types beside the values. */
export const wrongMeta = fc.constantFrom<unknown>(
  null,
  5,
  'x',
  [],
  { values: 5 },
  { values: ['undefined'] },
  { values: [['undefined']] },
  ...['Date', 'bigint', 'regexp', 'URL', 'map', 'set', 'Error', 'number', 'nothing'].map((type) => ({
    values: { id: [type], name: [type] },
  })),
  { values: { id: [['class', 'Account']], name: [['custom', 'x']] } },
  { values: { 'a.b.c': ['Date'] } },
  { values: { '__proto__.polluted': ['Date'] } },
  { values: { 'constructor.prototype.polluted': ['undefined'] } },
  { referentialEqualities: { id: ['__proto__.polluted', 'a.b'] } },
  { referentialEqualities: [['id']] },
)

export const wrongParameters = fc.constantFrom(
  '0',
  '-1',
  '2147483648',
  '99999999999999999999',
  '1e3',
  '1.5',
  '%00',
  '%',
  '%zz',
  '%ED%A0%80',
  '%F0%9F%92%A9',
  '..%2f..%2fetc',
  '__proto__',
  'constructor',
  "1'--",
  'x'.repeat(5001),
)

export const wrongQueries = fc.constantFrom(
  '',
  '?',
  '?reminders=off',
  '?reminders=x',
  '?limit=-1',
  '?limit=1e9',
  '?limit=&page=',
  '?page=99999999999999999999',
  '?cursor=x',
  '?cursor=WyIxIl0',
  '?cursor=bnVsbA',
  '?search=%00',
  '?search=%ED%A0%80',
  '?search=%',
  '?search=a&search=b',
  '?search[a]=1',
  '?__proto__=1&__proto__[a]=1',
  '?constructor=1&toString=1',
  `?search=${'x'.repeat(8000)}`,
)
