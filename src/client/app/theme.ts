import { createTheme } from '@mantine/core'
import type { AlertProps, BadgeProps, CSSVariablesResolver, MantineColorsTuple, TableProps } from '@mantine/core'

const SYSTEM_FONTS = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

// White text is readable on shades 7 and 8 of every scale, and shade 9 on shade 1 (theme.test.ts). Mantine's own scales
// fail this.
const cobalt: MantineColorsTuple = [
  '#eff2ff',
  '#e0e6ff',
  '#c0caff',
  '#9cabff',
  '#7d90fb',
  '#5f75f4',
  '#465de9',
  '#2f46dd',
  '#2b40ca',
  '#22329f',
]
const red: MantineColorsTuple = [
  '#fef1f1',
  '#fde2e2',
  '#fbc9c9',
  '#f6a3a3',
  '#ee7777',
  '#e24d4d',
  '#cc2e2e',
  '#bd2525',
  '#a61f1f',
  '#871b1b',
]
const yellow: MantineColorsTuple = [
  '#fff8e8',
  '#fdeecb',
  '#fbde98',
  '#f6c85a',
  '#eeb02e',
  '#d8930f',
  '#ad6e07',
  '#8d5506',
  '#764508',
  '#5c370a',
]
const green: MantineColorsTuple = [
  '#eefaf2',
  '#d9f3e2',
  '#b6e5c6',
  '#85d1a1',
  '#4fb877',
  '#2b9d5a',
  '#1d8149',
  '#17693c',
  '#135732',
  '#0f4529',
]
const dark: MantineColorsTuple = [
  '#d5d9e2',
  '#b4bbc9',
  '#949cae',
  '#6d7587',
  '#3e4555',
  '#303644',
  '#222732',
  '#191d26',
  '#14171e',
  '#0e1015',
]

const TONES = ['cobalt', 'red', 'yellow', 'green', 'gray']
export const DARK_TINT_PERCENT = 20

export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 8 },
  colors: { cobalt, red, yellow, green, dark },
  black: '#171a21',
  fontFamily: SYSTEM_FONTS,
  headings: { fontFamily: SYSTEM_FONTS, fontWeight: '650', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // By name: `Badge.extend` would load every one of them with the first page.
  components: {
    Alert: { defaultProps: { variant: 'light' } satisfies AlertProps },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm' } satisfies BadgeProps,
      styles: { root: { textTransform: 'none', fontWeight: 600, letterSpacing: 0 } },
    },
    Button: { styles: { root: { fontWeight: 600 } } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } satisfies TableProps },
  },
})

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#6a7280',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-7)',
    '--traxx-color-canvas': '#f7f8fa',
    '--traxx-color-surface': 'var(--mantine-color-white)',
    '--traxx-chart-revenue': 'var(--mantine-color-cobalt-6)',
    '--traxx-chart-growth': '#7a3fb8',
    '--traxx-chart-active': 'var(--mantine-color-green-5)',
    '--traxx-chart-pending': '#d97706',
    '--traxx-chart-expired': 'var(--mantine-color-red-5)',
    '--traxx-chart-cancelled': 'var(--mantine-color-gray-6)',
  },
  dark: {
    '--mantine-color-body': 'var(--mantine-color-dark-7)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-cobalt-3)',
    '--traxx-color-canvas': 'var(--mantine-color-dark-8)',
    '--traxx-color-surface': 'var(--mantine-color-dark-7)',
    '--traxx-chart-revenue': 'var(--mantine-color-cobalt-4)',
    '--traxx-chart-growth': '#b48cf0',
    '--traxx-chart-active': 'var(--mantine-color-green-4)',
    '--traxx-chart-pending': 'var(--mantine-color-yellow-4)',
    '--traxx-chart-expired': 'var(--mantine-color-red-4)',
    '--traxx-chart-cancelled': 'var(--mantine-color-gray-6)',
    ...Object.fromEntries(TONES.flatMap(tintedInDark)),
  },
})

/** Mantine's own dark tints are darker than the page's background. */
function tintedInDark(tone: string): [name: string, value: string][] {
  const tint = (percent: number) => `color-mix(in srgb, var(--mantine-color-${tone}-5) ${percent}%, transparent)`
  return [
    [`--mantine-color-${tone}-light`, tint(DARK_TINT_PERCENT)],
    [`--mantine-color-${tone}-light-hover`, tint(DARK_TINT_PERCENT + 8)],
    [`--mantine-color-${tone}-light-color`, `var(--mantine-color-${tone}-2)`],
  ]
}
