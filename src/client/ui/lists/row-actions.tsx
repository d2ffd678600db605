import { ActionIcon, Group } from '@mantine/core'
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import classes from './row-actions.module.css'

interface RowActionsProps {
  /** What the row is about: it tells one row's buttons from another's. */
  name: string
  onEdit: () => void
  onDelete: () => void
}

export function RowActions({ name, onEdit, onDelete }: RowActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <RowAction label="Edit" name={name} onAct={onEdit}>
        <Pencil1Icon />
      </RowAction>
      <RowAction label="Delete" name={name} color="red" onAct={onDelete}>
        <TrashIcon />
      </RowAction>
    </Group>
  )
}

interface RowActionProps {
  label: string
  name: string
  color?: string
  onAct: () => void
  children: ReactNode
}

/** A small button in a row; its label shows when it is pointed at. */
export function RowAction({ label, name, color = 'gray', onAct, children }: RowActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      color={color}
      size="lg"
      aria-label={`${label} ${name}`}
      className={classes.action ?? ''}
      data-tip={label}
      onClick={onAct}
    >
      {children}
    </ActionIcon>
  )
}
