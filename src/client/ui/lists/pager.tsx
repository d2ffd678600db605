import { Button, Group, Text } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { formatCount } from '#client/text/format.ts'
import classes from './pager.module.css'

const NEIGHBOURS = 2

export interface PagerProps {
  /** The first and last row shown, counted from 1, and how many there are. */
  range: { from: number; to: number; total: number }
  /** Undefined where there is no such page. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  /** Adds the numbers of the pages around the current one. */
  pages?: { current: number; count: number; onPage: (page: number) => void }
  /** The choice of how many rows a page has. */
  sizes?: ReactNode
}

/** 'Showing X to Y of Z', and buttons for other pages. */
export function Pager({ range, onPrevious, onNext, pages, sizes }: PagerProps) {
  return (
    <Group component="nav" aria-label="Pages" justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {`Showing ${formatCount(range.from)} to ${formatCount(range.to)} of ${formatCount(range.total)}`}
      </Text>
      {sizes}
      <Group gap={6} className={classes.steps ?? ''}>
        <Step onStep={onPrevious} icon="left">
          Previous
        </Step>
        {pages && <Numbers {...pages} />}
        <Step onStep={onNext} icon="right">
          Next
        </Step>
      </Group>
    </Group>
  )
}

interface StepProps {
  onStep: (() => void) | undefined
  icon: 'left' | 'right'
  children: string
}

/** aria-disabled where there is no such page: a disabled button would lose the focus. */
function Step({ onStep, icon, children }: StepProps) {
  const sides = icon === 'left' ? { leftSection: <ChevronLeftIcon /> } : { rightSection: <ChevronRightIcon /> }
  const state = onStep ? {} : { 'aria-disabled': true, 'data-disabled': true }
  return (
    <Button variant="default" size="xs" onClick={onStep} {...state} {...sides}>
      {children}
    </Button>
  )
}

function Numbers({ current, count, onPage }: NonNullable<PagerProps['pages']>) {
  return pagesAround(current, count).map((page) => (
    <Button
      key={page}
      size="xs"
      px="xs"
      variant={page === current ? 'filled' : 'default'}
      aria-label={`Page ${page}`}
      aria-current={page === current ? 'page' : undefined}
      onClick={() => onPage(page)}
    >
      {page}
    </Button>
  ))
}

function pagesAround(current: number, count: number): number[] {
  const first = Math.max(1, current - NEIGHBOURS)
  const last = Math.min(count, current + NEIGHBOURS)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
