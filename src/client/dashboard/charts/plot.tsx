import type { ComponentType } from 'react'
import type { Chart, Point } from './chart.ts'
import { PiePlot } from './pie-plot.tsx'
import { RangePlot } from './range-plot.tsx'

export type PlotComponent = ComponentType<{ chart: Chart; points: Point[] }>

/** Draws a chart; this file and what it imports is loaded only where there is one to draw. */
export const Plot: PlotComponent = ({ chart, points }) =>
  chart.kind === 'pie' ? <PiePlot chart={chart} points={points} /> : <RangePlot chart={chart} points={points} />
