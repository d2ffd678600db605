import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './detail-list.module.css'

export interface Detail {
  label: string
  value: ReactNode
}

/** What there is to say about one thing, in columns, or as `className` lays them out. */
export function DetailList({
  details,
  className = classes.details,
}: {
  details: Detail[]
  className?: string | undefined
}) {
  return (
    <dl className={className}>
      {details.map(({ label, value }) => (
        <div key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={500} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
