import { PAGE_SIZE } from '#shared/schemas/filters.ts'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { Pager, type PagerProps } from '#client/ui/lists/pager.tsx'
import { PAGE_SIZES, type PageSize } from './list-position.ts'

interface ListPagerProps {
  pager: PagerProps
  size: PageSize
  onSize: (size: PageSize) => void
}

const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }))

/** The pages of a list and how many rows one has. */
export function ListPager({ pager, size, onSize }: ListPagerProps) {
  return (
    <Pager
      {...pager}
      sizes={
        <FilterSelect
          label="Rows per page"
          options={SIZES}
          value={String(size)}
          onChoose={(chosen) => onSize(PAGE_SIZES.find((one) => String(one) === chosen) ?? PAGE_SIZE)}
        />
      }
    />
  )
}

/** Whether there are more rows than the smallest page has. */
export function hasPager<Pager extends PagerProps>(pager: Pager | undefined): pager is Pager {
  return pager !== undefined && pager.range.total > PAGE_SIZE
}
