import { SimpleGrid } from '@mantine/core'
import type { ComponentType } from 'react'
import type { Counted } from './counted-link.tsx'
import { StatCard, type RenderLink } from '#client/ui/cards/stat-card.tsx'

export interface FigureCard<Figures, Shown = Counted> {
  label: string
  definition: string
  icon: ComponentType<{ width: number; height: number }>
  valueOf: (figures: Figures) => string
  note?: string
  /** Said below it. */
  detailOf?: (figures: Figures) => string
  /** What it counts, or adds up. */
  counted?: Shown | undefined
}

interface FigureCardsProps<Figures, Shown> {
  cards: FigureCard<Figures, Shown>[]
  figures: { data: Figures | undefined; isError: boolean }
  /** Makes each card lead to what it counts. */
  linkTo?: (counted: Shown) => RenderLink
}

/** Figures side by side: skeletons while they load, and a dash each if that failed. */
export function FigureCards<Figures, Shown>(props: FigureCardsProps<Figures, Shown>) {
  const { cards, linkTo } = props
  const { data, isError } = props.figures
  const missing = isError ? '–' : undefined
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {cards.map(({ label, definition, icon: Icon, note, counted, valueOf, detailOf }) => (
        <StatCard
          key={label}
          label={label}
          definition={definition}
          icon={<Icon width={18} height={18} />}
          value={data ? valueOf(data) : missing}
          note={note}
          // Reserves its line while it loads.
          detail={detailOf && (data ? detailOf(data) : '\u00A0')}
          renderLink={counted && linkTo?.(counted)}
        />
      ))}
    </SimpleGrid>
  )
}
