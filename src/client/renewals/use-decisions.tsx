import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { useContractActs, type Contract } from './use-contract-acts.ts'
import type { usePendingActs } from './use-pending-acts.ts'

const importDialogs = () => import('./decision-dialogs.tsx')
const Renew = onDemand(async () => (await importDialogs()).RenewDialog)
const End = onDemand(async () => (await importDialogs()).EndDialog)

export interface Decisions {
  /** Renews at once; asks first when the new term of an overdue contract begins, or shows the email to the customer. */
  renew: (contract: Contract) => void
  /** Asks for other terms. */
  renewWithChanges: (contract: Contract) => void
  /** Asks when it ends, and why. */
  end: (contract: Contract) => void
  /** Takes back that it will end. */
  reopen: (contract: Contract) => void
  isPending: ReturnType<typeof usePendingActs>
  prefetch: () => void
  /** The dialogs that ask. */
  dialogs: ReactNode
}

/** Renewing and ending, from wherever contracts are listed. */
export function useDecisions(): Decisions {
  const { renewNow, reopen, isRefused, isPending } = useContractActs()
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
    reopen,
    isPending,
    prefetch: () => {
      Renew.prefetch()
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
      </>
    ),
  }
}
