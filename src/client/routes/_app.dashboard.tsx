import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { ContractDialog } from '#client/contracts/contract-dialog.tsx'
import { CustomerDialog } from '#client/customers/customer-dialog.tsx'
import { DashboardScreen } from '#client/dashboard/dashboard-screen.tsx'
import { DashboardSearch } from '#client/dashboard/dashboard-search.ts'
import { searchReader } from '#client/search-params.ts'

export const Route = createFileRoute('/_app/dashboard')({
  staticData: { title: 'Dashboard' },
  validateSearch: searchReader(DashboardSearch),
  loader: ({ context: { trpcUtils } }) => {
    void trpcUtils.dashboard.get.prefetch()
  },
  component: DashboardRoute,
})

function DashboardRoute() {
  const { session_id: sessionId } = Route.useSearch()
  const navigate = Route.useNavigate()
  const [adding, setAdding] = useState<'customer' | 'contract'>()
  const close = () => setAdding(undefined)
  return (
    <>
      <DashboardScreen
        welcome={sessionId !== undefined}
        onWelcomed={() =>
          void navigate({
            search: (before) => ({ ...before, session_id: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
        onAddCustomer={() => setAdding('customer')}
        onAddContract={() => setAdding('contract')}
      />
      <CustomerDialog door="dashboard" opened={adding === 'customer'} onClose={close} />
      <ContractDialog door="dashboard" opened={adding === 'contract'} onClose={close} />
    </>
  )
}
