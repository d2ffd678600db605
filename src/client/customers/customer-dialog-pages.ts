/** The dialog's texts differ a little between the dashboard and the customers page (spec, sections 5 and 8). */
export const CUSTOMER_DIALOG_PAGES = {
  dashboard: {
    nameRequired: 'Name is required',
    failure: {
      failed: 'Failed to add customer',
      network: 'An error occurred while adding the customer.',
      signedOut: 'You are not logged in. Please log in to add a customer.',
      noToken: 'Unable to get authentication token.',
    },
  },
  customers: {
    nameRequired: 'Customer name is required',
    failure: { failed: 'Failed to save customer', network: 'Network error occurred' },
  },
}
export type CustomerDialogPage = keyof typeof CUSTOMER_DIALOG_PAGES
