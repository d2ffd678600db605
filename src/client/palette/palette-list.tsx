import { useEffect, useRef } from 'react'
import type { PaletteEntry, PaletteSection } from './palette-entry.ts'
import classes from './palette.module.css'

interface PaletteListProps {
  id: string
  sections: PaletteSection[]
  active: PaletteEntry | undefined
  busy: boolean
  onActive: (entry: PaletteEntry) => void
  onChoose: (entry: PaletteEntry) => void
}

export function optionId(list: string, { key }: PaletteEntry): string {
  return `${list}-${key}`
}

export function PaletteList({ id, sections, active, busy, ...actions }: PaletteListProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" aria-busy={busy} className={classes.list}>
      {sections.map(({ title, entries }) => (
        <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
          <div id={`${id}-${title}`} role="presentation" className={classes.title}>
            {title}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.key}
              id={optionId(id, entry)}
              entry={entry}
              selected={entry.key === active?.key}
              {...actions}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface OptionProps extends Pick<PaletteListProps, 'onActive' | 'onChoose'> {
  id: string
  entry: PaletteEntry
  selected: boolean
}

/** Pressing the pointer must not take the focus from the field, whose keys choose entries. */
function Option({ id, entry, selected, onActive, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected) option.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const { name, hint, icon: Icon } = entry
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys of the whole list
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      className={classes.option}
      onMouseMove={() => onActive(entry)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <Icon aria-hidden />
      <span className={classes.text}>
        <span className={classes.name}>{name}</span> {hint && <span className={classes.hint}>{hint}</span>}
      </span>
    </div>
  )
}
