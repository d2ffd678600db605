import { SimpleGrid } from '@mantine/core'
import type { ComponentType } from 'react'
import { StatCard, type Lead } from '#client/ui/cards/stat-card.tsx'

export interface FigureCard<Figures> {
  label: string
  definition: string
  icon: ComponentType<{ width: number; height: number }>
  valueOf: (figures: Figures) => string
  note?: string
}

interface FigureCardsProps<Figures> {
  cards: FigureCard<Figures>[]
  figures: { data: Figures | undefined; isError: boolean }
  /** What leads to the rows that a card counts. */
  leadOf?: (label: string) => Lead | undefined
}

/** The figures above a list: a skeleton each while they are on their way, a dash where they did not come. */
export function FigureCards<Figures>({ cards, figures: { data, isError }, leadOf }: FigureCardsProps<Figures>) {
  const missing = isError ? '–' : undefined
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {cards.map(({ label, definition, icon: Icon, note, valueOf }) => (
        <StatCard
          key={label}
          label={label}
          definition={definition}
          icon={<Icon width={18} height={18} />}
          value={data ? valueOf(data) : missing}
          note={note}
          lead={leadOf?.(label)}
        />
      ))}
    </SimpleGrid>
  )
}
