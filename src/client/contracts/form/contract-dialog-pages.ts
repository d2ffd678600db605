import type { ContractStatus } from '#shared/domain/contract-status.ts'

interface DialogPage {
  required: string
  status: ContractStatus
  failure: { failed: string; network: string; signedOut?: string }
}

/** The dialog's texts differ a little between the dashboard and the contracts page (spec, sections 4, 5, 8). */
export const CONTRACT_DIALOG_PAGES = {
  dashboard: {
    required: 'Please fill in all required fields',
    status: 'pending',
    failure: {
      failed: 'Failed to add contract',
      network: 'Network error occurred',
      signedOut: 'You are not logged in',
    },
  },
  contracts: {
    required: 'All fields are required',
    status: 'active',
    failure: { failed: 'Failed to save contract', network: 'Network error' },
  },
} satisfies Record<string, DialogPage>
export type ContractDialogPage = keyof typeof CONTRACT_DIALOG_PAGES
