import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../deploy', file), 'utf8')

describe('the alerts', () => {
  const rules = read('prometheus/alerts.yml').split('- alert: ').slice(1)
  const names = rules.map((rule) => rule.slice(0, rule.indexOf('\n')))
  const tests = [...read('prometheus/alerts.test.yml').matchAll(/alertname: (\w+)(, exp_alerts: \[\])?/g)]

  test('each say how urgent they are, since when, and what to do', () => {
    expect(names.length).toBeGreaterThan(10)
    for (const rule of rules) {
      expect(rule).toMatch(
        /\n +for: \d+[mh]\n +labels: \{ severity: (?:page|ticket) \}\n +annotations:\n +summary: \S.*\n +action: \S/,
      )
    }
  })

  test('each have tests of promtool in which they fire, and in which they do not', () => {
    expect([...new Set(tests.map(([, name = '']) => name))].toSorted()).toEqual(names.toSorted())
    for (const isQuiet of [false, true]) {
      const tested = tests.filter(([, , quiet]) => (quiet !== undefined) === isQuiet).map(([, name]) => name)
      expect(names.filter((name) => !tested.includes(name))).toEqual([])
    }
  })
})

const Dashboard = z.object({
  uid: z.string().min(1),
  panels: z.array(
    z.object({
      title: z.string().min(1),
      targets: z.array(z.object({ expr: z.string().regex(/traxx_\w+/) })).min(1),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
    }),
  ),
})

test('the dashboard is one that Grafana can import: panels with titles, places and figures of ours', () => {
  const { panels } = Dashboard.parse(JSON.parse(read('grafana/traxx.json')))
  expect(panels.length).toBeGreaterThan(5)
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length)
})
