import { Group, Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Definition } from './definition.tsx'
import leads from './lead.module.css'
import classes from './stat-card.module.css'

interface StatCardProps {
  label: string
  /** As it is shown; undefined while it is loading. */
  value: string | undefined
  /** How it is calculated: shown on hover, focus and touch. */
  definition?: string
  icon?: ReactNode
  /** Said beside the figure. */
  note?: string | undefined
  /** Said below the figure. */
  detail?: string | undefined
  /** Makes the card a link or button to what it counts. */
  renderLink?: RenderLink | undefined
}

/** Renders a link or a button over the whole card. */
export type RenderLink = (props: { className: string; children: string }) => ReactNode

/** One figure with its name. */
export function StatCard({ label, value, definition, icon, note, detail, renderLink }: StatCardProps) {
  return (
    <Paper withBorder p="md" pos="relative" role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" c="dimmed" fw={500}>
            {renderLink ? renderLink({ className: leads.lead ?? '', children: label }) : label}
          </Text>
          {definition && <Definition term={label} text={definition} />}
        </Group>
        {icon && (
          <Text component="span" c="var(--mantine-color-anchor)" lh={0} visibleFrom="sm" aria-hidden>
            {icon}
          </Text>
        )}
      </Group>
      {value === undefined ? <Skeleton height={32} width="60%" /> : <Figure value={value} note={note} />}
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </Paper>
  )
}

function Figure({ value, note }: Pick<StatCardProps, 'note'> & { value: string }) {
  return (
    <div className={classes.box}>
      <Text className={classes.figure} lh="32px" fw={650} style={{ '--characters': value.length }}>
        {value}
        {note && (
          <>
            {' '}
            <small className={classes.note}>{note}</small>
          </>
        )}
      </Text>
    </div>
  )
}
