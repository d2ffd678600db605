import { columnsIn, type ContractColumn } from '#shared/schemas/columns.ts'
import { trpc } from '#client/api/trpc.ts'

/** The columns of the address, or else those that the account has as its default. */
export function useColumns(written: string | undefined): readonly ContractColumn[] {
  const byDefault = useDefaultColumns()
  return written === undefined ? byDefault : columnsIn(written)
}

export function useDefaultColumns(): readonly ContractColumn[] {
  const { data } = trpc.views.listSettings.useQuery()
  return columnsIn(data?.contractColumns ?? undefined)
}
