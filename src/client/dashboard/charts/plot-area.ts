import { formatCompactMoney, formatCount } from '#client/text/format.ts'
import type { Chart, Point } from './chart.ts'
import { ticksAbove } from './ticks.ts'

export const HEIGHT = 240
const MARGIN = { top: 16, right: 8, bottom: 26 }
const LETTER_WIDTH = 7
const TICK_GAP = 10

export interface Tick {
  y: number
  text: string
}

/** The layout of a chart with two axes, in pixels. */
export interface PlotArea {
  left: number
  right: number
  top: number
  bottom: number
  /** Each point has a band of this width; the point is in its middle. */
  band: number
  ticks: Tick[]
  xOf: (index: number) => number
  yOf: (value: number) => number
}

export function plotArea({ unit }: Chart, points: Point[], width: number): PlotArea {
  const values = ticksAbove(Math.max(...points.map(({ value }) => value)), unit)
  const texts = values.map(unit === 'money' ? formatCompactMoney : formatCount)
  const left = Math.max(...texts.map(({ length }) => length)) * LETTER_WIDTH + TICK_GAP
  const [top, right, bottom] = [MARGIN.top, width - MARGIN.right, HEIGHT - MARGIN.bottom]
  const band = (right - left) / points.length
  const yOf = (value: number) => bottom - ((bottom - top) * value) / (values.at(-1) ?? 1)
  const ticks = values.map((value, index) => ({ y: yOf(value), text: texts[index] ?? '' }))
  return { left, right, top, bottom, band, ticks, xOf: (index) => left + band * (index + 0.5), yOf }
}
