import { DEFAULT_THEME, luminance, mergeMantineTheme } from '@mantine/core'
import { expect, test } from 'vitest'
import { cssVariablesResolver, DARK_TINT_PERCENT, theme } from './theme.ts'

const READABLE = 4.5
const DISCERNIBLE = 3
const merged = mergeMantineTheme(DEFAULT_THEME, theme)
const variables = cssVariablesResolver(merged)
const TONES = ['cobalt', 'red', 'yellow', 'green']

test.each([...TONES, 'gray'])('text on a light badge or alert of %s reads in both schemes', (tone) => {
  expect(contrast(shade(tone, 9), shade(tone, 1))).toBeGreaterThan(READABLE)
  for (const ground of grounds('dark')) {
    expect(contrast(shade(tone, 2), mix(shade(tone, 5), ground))).toBeGreaterThan(READABLE)
  }
})

test.each(TONES)('white text reads on a filled %s in both schemes', (tone) => {
  expect(contrast('#ffffff', shade(tone, 7))).toBeGreaterThan(READABLE)
  expect(contrast('#ffffff', shade(tone, 8))).toBeGreaterThan(READABLE)
})

test.each(['dimmed', 'placeholder', 'error'])('%s text reads on every background of both schemes', (name) => {
  for (const scheme of ['light', 'dark'] as const) {
    const text = resolve(variables[scheme][`--mantine-color-${name}`])
    for (const ground of grounds(scheme)) expect(contrast(text, ground), scheme).toBeGreaterThan(READABLE)
  }
})

test('links read on every background of both schemes', () => {
  for (const ground of grounds('light')) expect(contrast(shade('cobalt', 7), ground)).toBeGreaterThan(READABLE)
  const anchor = resolve(variables.dark['--mantine-color-anchor'])
  for (const ground of grounds('dark')) expect(contrast(anchor, ground)).toBeGreaterThan(READABLE)
})

test.each(['light', 'dark'] as const)('what charts draw is discernible on a card, %s', (scheme) => {
  const drawn = Object.entries(variables[scheme]).filter(([name]) => name.startsWith('--traxx-chart-'))
  expect(drawn).toHaveLength(6)
  const card = resolve(variables[scheme]['--traxx-color-surface'])
  for (const [name, color] of drawn) expect(contrast(resolve(color), card), name).toBeGreaterThan(DISCERNIBLE)
})

function grounds(scheme: 'light' | 'dark'): string[] {
  const { '--traxx-color-canvas': canvas, '--traxx-color-surface': surface } = variables[scheme]
  const raised = scheme === 'dark' ? shade('dark', 6) : '#ffffff'
  return [resolve(canvas), resolve(surface), raised]
}

/** The color that `color-mix` of a dark tint makes on its ground. */
function mix(tint: string, ground: string): string {
  const part = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  const share = DARK_TINT_PERCENT / 100
  const channels = [1, 3, 5].map((at) => Math.round(part(tint, at) * share + part(ground, at) * (1 - share)))
  return `rgb(${channels.join(', ')})`
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The color behind `var(--mantine-color-NAME-SHADE)`, or the color itself. */
function resolve(value = ''): string {
  const [, tone, index] = value.match(/^var\(--mantine-color-(\w+)-(\d)\)$/) ?? []
  if (tone && index) return shade(tone, Number(index))
  return value === 'var(--mantine-color-white)' ? '#ffffff' : value
}

function shade(tone: string, index: number): string {
  const found = merged.colors[tone]?.[index]
  if (!found) throw new Error(`no shade ${index} of ${tone}`)
  return found
}
