import { trpc } from '#client/api/trpc.ts'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { tagsText } from './tags-text.ts'

interface TagFilterProps {
  /** Of the address: one, or several separated by commas. */
  tag: string | undefined
  onChoose: (tag: string | undefined) => void
}

/** A list's filter by one of the account's tags. */
export function TagFilter({ tag, onChoose }: TagFilterProps) {
  const known = trpc.tags.list.useQuery()
  const options = (known.data ?? []).map(({ name }) => ({ value: name, label: name }))
  const isOther = tag !== undefined && !options.some(({ value }) => value === tag)
  return (
    <FilterSelect
      label="Tag"
      none="All Tags"
      options={isOther ? [...options, { value: tag, label: tagsText(tag) }] : options}
      value={tag}
      onChoose={onChoose}
    />
  )
}
