import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const migrations = readdirSync(join(ROOT, 'migrations')).map((file) => file.slice(0, 4))
const sections = read('CHANGELOG.md').split(/^## /m)
/** The newest first. */
const versions = sections.flatMap((text) => {
  const [, number, day] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)\n/.exec(text) ?? []
  return number && day ? [{ number, day, text }] : []
})
/** What is not released yet. */
const unreleased = sections.find((text) => text.startsWith('[Unreleased]')) ?? ''
const numbersIn = (text: string) => [...text.matchAll(/`(\d{4})`/g)].map(([, number = '']) => number)

/** 0.10.0 comes after 0.9.0. */
const sortable = (version: string) =>
  version
    .split('.')
    .map((part) => part.padStart(6, '0'))
    .join('.')

describe('the changelog', () => {
  test('begins with the version that this is', () => {
    expect(versions[0]?.number).toBe(manifest.version)
    const [first, second] = read('package-lock.json').match(/"version": "[^"]+"/g) ?? []
    expect([first, second]).toEqual([`"version": "${manifest.version}"`, `"version": "${manifest.version}"`])
  })

  test('has versions and days in descending order', () => {
    expect(versions.length).toBeGreaterThan(6)
    const numbers = versions.map(({ number }) => sortable(number))
    expect(numbers).toEqual([...new Set(numbers)].toSorted().toReversed())
    const days = versions.map(({ day }) => day)
    expect(days).toEqual(days.toSorted().toReversed())
  })

  test('says up to which migration each version goes, and leaves none out', () => {
    const last = versions.map(({ text }) => /^Migrations up to `(\d{4})`/m.exec(text)?.[1] ?? '')
    expect(last).toEqual(last.toSorted().toReversed())
    expect(last.filter((number) => !migrations.includes(number))).toEqual([])
    const newer = migrations.filter((number) => number > (last[0] ?? ''))
    expect(newer.filter((number) => !numbersIn(unreleased).includes(number))).toEqual([])
  })

  test('tells operators of every migration that older servers cannot run beside', () => {
    const dangerous = numbersIn(read('docs/upgrading.md').split('\n## ')[1] ?? '')
    expect(dangerous.length).toBeGreaterThan(9)
    expect(dangerous.filter((number) => !migrations.includes(number))).toEqual([])
    const all = [unreleased, ...versions.map(({ text }) => text)]
    const told = all.flatMap((text) => numbersIn(text.split('\n### Upgrading\n')[1] ?? ''))
    expect([...new Set(dangerous)].filter((number) => !told.includes(number))).toEqual([])
  })
})
