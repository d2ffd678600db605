/** The contracts that a customer's page shows, which are also fetched before it is shown: a file without the component. */
export function contractsOfCustomer(customerId: number) {
  return { customerId, sort: 'openFirst', limit: 100 } as const
}
