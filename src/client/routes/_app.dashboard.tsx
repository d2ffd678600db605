import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { text } from '#shared/schemas/filters.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { DashboardScreen } from '#client/dashboard/dashboard-screen.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'

const AddCustomer = onDemand(async () => (await import('#client/customers/customer-dialog.tsx')).CustomerDialog)
const Import = onDemand(async () => (await import('#client/imports/bulk-upload-dialog.tsx')).BulkUploadDialog)
const AddContract = onDemand(async () => (await import('#client/contracts/form/contract-dialog.tsx')).ContractDialog)

/** Stripe adds its session ID after a trial has started. */
const Search = z.object({ session_id: z.optional(text(200)) })

export const Route = createFileRoute('/_app/dashboard')({
  staticData: { title: 'Dashboard' },
  ssr: true,
  validateSearch: lenientSearch(Search),
  loader: ({ context: { trpcUtils } }) => {
    void trpcUtils.dashboard.get.prefetch()
  },
  component: DashboardRoute,
})

function DashboardRoute() {
  const isWelcome = useIsWelcome()
  const navigate = Route.useNavigate()
  const [adding, setAdding] = useState<'customer' | 'contract'>()
  const [isFirst, setFirst] = useState(false)
  const [importing, setImporting] = useState<{ kind: ImportKind; opened: boolean }>()
  const close = () => setAdding(undefined)
  const isRefused = useReadOnlyGuard()
  const setUploadOpened = (opened: boolean) => setImporting((before) => before && { ...before, opened })
  return (
    <div {...whenButtonNears(AddCustomer.prefetch, AddContract.prefetch)}>
      <DashboardScreen
        welcome={isWelcome}
        onWelcomed={() =>
          void navigate({
            search: (before) => ({ ...before, session_id: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        onAddCustomer={() => isRefused() || setAdding('customer')}
        onAddContract={(first) => {
          if (isRefused()) return
          setFirst(first)
          setAdding('contract')
        }}
        onImport={(kind) => setImporting({ kind, opened: true })}
        onNameCompany={() => void navigate({ to: '/company' })}
      />
      <AddCustomer.Part
        wanted={adding === 'customer'}
        page="dashboard"
        opened={adding === 'customer'}
        onClose={close}
      />
      <AddContract.Part
        wanted={adding === 'contract'}
        page="dashboard"
        isFirst={isFirst}
        opened={adding === 'contract'}
        onClose={close}
      />
      <Import.Part
        key={importing?.kind ?? 'contracts'}
        wanted={importing !== undefined}
        kind={importing?.kind ?? 'contracts'}
        opened={importing?.opened ?? false}
        onOpen={() => setUploadOpened(true)}
        onClose={() => setUploadOpened(false)}
      />
    </div>
  )
}

/** Only during the trial: a bookmarked address must not greet a subscription that has ended. */
function useIsWelcome(): boolean {
  const isBack = Route.useSearch().session_id !== undefined
  const { data } = trpc.billing.subscription.useQuery(undefined, { enabled: isBack, staleTime: Infinity })
  return isBack && data?.status === 'trialing'
}
