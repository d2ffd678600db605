import { Group, Stack, Text } from '@mantine/core'
import classes from './progress-line.module.css'

interface ProgressLineProps {
  /** What is under way. */
  label: string
  /** From 0 to 1; undefined if the progress is not known. */
  done: number | undefined
  /** The progress in words. */
  detail?: string | undefined
}

/** A progress bar, or an indeterminate one. */
export function ProgressLine({ label, done, detail }: ProgressLineProps) {
  const percent = done === undefined ? undefined : Math.floor(done * 100)
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm">
        <Text fw={600} role="status">
          {label}
        </Text>
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {detail ?? (percent === undefined ? '' : `${percent}%`)}
        </Text>
      </Group>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={detail}
        className={classes.bar}
      >
        <div
          className={classes.fill}
          data-moving={percent === undefined || undefined}
          style={{ width: widthOf(percent) }}
        />
      </div>
    </Stack>
  )
}

function widthOf(percent: number | undefined): string {
  return percent === undefined ? '30%' : `${percent}%`
}
