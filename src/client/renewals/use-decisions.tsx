import { useState, type ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { trpc } from '#client/api/trpc.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { useContractActs, type Contract } from './use-contract-acts.ts'
import type { usePendingActs } from './use-pending-acts.ts'

const importDialogs = () => import('./decision-dialogs.tsx')
const Renew = onDemand(async () => (await importDialogs()).RenewDialog)
const End = onDemand(async () => (await importDialogs()).EndDialog)
const Reopen = onDemand(async () => (await importDialogs()).ReopenContract)

export interface Decisions {
  /** Renews at once; asks first when the new term of an overdue contract begins, or shows the email to the customer. */
  renew: (contract: Contract) => void
  /** Asks for other terms. */
  renewWithChanges: (contract: Contract) => void
  /** Asks when it ends, and why. */
  end: (contract: Contract) => void
  /** Opens it again, or takes back that it will end; asks first if the customer would get emails. */
  reopen: (contract: Contract) => void
  isPending: ReturnType<typeof usePendingActs>
  prefetch: () => void
  /** The dialogs that ask. */
  dialogs: ReactNode
}

/** Renewing and ending, from wherever contracts are listed. */
export function useDecisions(): Decisions {
  const { renewNow, reopen, isRefused, isActing, isPending } = useContractActs()
  const reopening = useReopening(reopen)
  const { renewalSettings } = trpc.useUtils().contracts
  const renewing = useDialogAbout<Contract>()
  const ending = useDialogAbout<Contract>()
  const renewWithChanges = (contract: Contract) => isRefused() || renewing.open(contract)
  return {
    renew: (contract) => {
      const decide = (asksFirst: boolean) => (asksFirst ? renewWithChanges(contract) : renewNow(contract))
      if (contract.daysLeft < 0) return decide(true)
      // Known since the button was near, or waited for; the dialog shows what they would have decided.
      renewalSettings.ensureData().then(
        ({ confirmRenewals }) => decide(confirmRenewals),
        () => decide(true),
      )
    },
    renewWithChanges,
    end: (contract) => isRefused() || ending.open(contract),
    reopen: (contract) => isRefused() || isActing(contract.id) || reopening.begin(contract),
    isPending: (act, id) => isPending(act, id) || (act === 'reopen' && reopening.isBegun(id)),
    prefetch: () => {
      Renew.prefetch()
      Reopen.prefetch()
      void renewalSettings.prefetch()
    },
    dialogs: (
      <>
        <Renew.Part
          wanted={renewing.opened}
          opened={renewing.opened}
          contract={renewing.about}
          onClose={renewing.close}
        />
        <End.Part wanted={ending.opened} opened={ending.opened} contract={ending.about} onClose={ending.close} />
        {reopening.dialogs}
      </>
    ),
  }
}

/** Asks about one contract after the other, as one may be pressed while another is looked at. */
function useReopening(reopen: ReturnType<typeof useContractActs>['reopen']) {
  const [begun, setBegun] = useState<readonly Contract[]>([])
  const isBegun = (id: number) => begun.some((contract) => contract.id === id)
  return {
    isBegun,
    begin: (contract: Contract) => isBegun(contract.id) || setBegun((before) => [...before, contract]),
    dialogs: begun.slice(0, 1).map((contract) => (
      <Reopen.Part
        key={contract.id}
        wanted
        contract={contract}
        // To which status a closed one opens only the server knows; it makes no difference to emails.
        status={isOpen(contract.status) ? contract.status : 'active'}
        confirmLabel={isOpen(contract.status) ? 'Keep Open' : 'Reopen'}
        onSave={(reminders) => reopen(contract, reminders)}
        onClosed={() => setBegun((before) => before.filter(({ id }) => id !== contract.id))}
      />
    )),
  }
}
