import { Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import type { Chart, Point } from './chart.ts'
import classes from './chart-card.module.css'
import { PointsTable } from './points-table.tsx'
import type { PlotComponent } from './plot.tsx'

interface ChartCardProps {
  chart: Chart
  /** Undefined while they are loading. */
  points: Point[] | undefined
  /** Undefined until it is loaded. */
  Plot: PlotComponent | undefined
  /** The chart could not be loaded: its figures are shown as a table instead. */
  isError: boolean
}

/** A chart with its title and what it shows in words; its figures are also a table, for those who cannot see it. */
export function ChartCard({ chart, ...body }: ChartCardProps) {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} miw={0}>
      <Title order={2} size="h4" id={id}>
        {chart.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {chart.description}
      </Text>
      <div className={classes.body}>
        <ChartBody chart={chart} {...body} />
      </div>
    </Paper>
  )
}

function ChartBody({ chart, points, Plot, isError }: ChartCardProps) {
  if (points === undefined) return <Skeleton height="100%" />
  if (points.every(({ value }) => value === 0)) return <EmptyChart {...chart.empty} />
  if (!Plot && isError) return <PointsTable chart={chart} points={points} isSeen />
  return (
    <>
      {Plot ? <Plot chart={chart} points={points} /> : <Skeleton height="100%" />}
      <VisuallyHidden component="div">
        <PointsTable chart={chart} points={points} />
      </VisuallyHidden>
    </>
  )
}

function EmptyChart({ title, hint }: Chart['empty']) {
  return (
    <Stack h="100%" gap={4} align="center" justify="center" ta="center">
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </Stack>
  )
}
