import fc from 'fast-check'

const DEPTH = 10_000
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
const DEEP_OBJECT = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
/** Written in a value, and replaced in the text: to write so deep a value itself would overflow the stack. */
const DEEP_MARK = '@deep@'
const HUGE_MARK = '@huge@'

/** What no field of a call or a file takes; to be written with `written`. */
export const wrongValues = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 1,
    2_147_483_648,
    'NaN',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfff',
    'x'.repeat(20_000),
    '0001-01-01',
    '9999-12-31',
    '2026-02-30',
    '+275760-09-13',
    [],
    {},
    [[]],
    ['1', 1, null],
    { id: 1 },
    DEEP_MARK,
    HUGE_MARK,
    JSON.parse('{"__proto__":{"polluted":true}}'),
    JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
    JSON.parse('{"toString":1,"then":1,"length":-1}'),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
)

const wrongTexts = fc.constantFrom(
  '',
  ' ',
  'null',
  '0',
  '""',
  '[]',
  '[{}]',
  '{',
  '}',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  '\uFEFF{}',
  '\u0000',
  '{"a":"\u0000"}',
  '{"name":"\\u0000\\ud800"}',
  '{"id":1e999}',
  `{"id":${'9'.repeat(5000)}}`,
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  DEEP,
  DEEP_OBJECT,
  `"${'x'.repeat(1_100_000)}"`,
)

/** JSON of these values; a quarter of it wrong in one part, and some of it no JSON of an object at all. */
export function jsonOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const whole = values.map(written)
  const changed = fc
    .tuple(values, fc.nat(), wrongValues)
    .map(([value, at, wrong]) => written(withWrong(value, at, wrong)))
  const cut = fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)))
  return fc.oneof(
    { arbitrary: whole, weight: 12 },
    { arbitrary: changed, weight: 5 },
    { arbitrary: wrongTexts, weight: 2 },
    { arbitrary: cut, weight: 1 },
  )
}

export function written(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(`"${DEEP_MARK}"`, DEEP).replaceAll(`"${HUGE_MARK}"`, '1e999')
}

/** The value with one of its parts, or all of it, replaced. */
export function withWrong(value: unknown, at: number, wrong: unknown): unknown {
  if (typeof value !== 'object' || value === null) return wrong
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)]
  if (name === undefined) return wrong
  const part = withWrong(Reflect.get(value, name), Math.floor(at / (names.length + 1)), wrong)
  if (Array.isArray(value)) return value.with(Number(name), part)
  return { ...value, [name]: part }
}
