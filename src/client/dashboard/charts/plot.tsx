import type { PlotComponent } from './use-plot.ts'
import { PiePlot } from './pie-plot.tsx'
import { RangePlot } from './range-plot.tsx'

/** Draws a chart; this file and what it imports is loaded only where there is one to draw. */
export const Plot: PlotComponent = ({ chart, points }) =>
  chart.kind === 'pie' ? <PiePlot chart={chart} points={points} /> : <RangePlot chart={chart} points={points} />
