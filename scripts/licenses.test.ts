import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** What TRAXX may be shipped with: each asks for no more than its notice to be kept. */
const SHIPPED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  'MIT AND ISC',
]
/** For tools that are used unchanged and never shipped. */
const USED = [...SHIPPED, 'MPL-2.0', 'CC-BY-4.0']
/** Packages for development that say their license in another way, or not: all are MIT, or our own empty package. */
const UNSTATED = ['busboy', 'dicer', 'humanize-number', 'only', 'streamsearch', 'scripts/empty']

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.string().optional(), dev: z.boolean().optional(), link: z.boolean().optional() }),
  ),
})

const lock = Lock.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')))
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path !== '' && !link)
  .map(([path, { license, dev = false }]) => ({ path, license, dev }))

test('everything that is shipped has a license that allows it', () => {
  const shipped = packages.filter(({ dev }) => !dev)
  expect(shipped.length).toBeGreaterThan(100)
  expect(shipped.filter(({ license }) => !SHIPPED.includes(license ?? ''))).toEqual([])
})

test('everything that is used to build and test it has a license that allows that', () => {
  const isKnown = ({ path, license }: (typeof packages)[number]) =>
    license === undefined ? UNSTATED.some((name) => path.endsWith(`/${name}`)) : USED.includes(license)
  expect(packages.filter((one) => one.dev && !isKnown(one))).toEqual([])
})
