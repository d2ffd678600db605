/** How many contracts were renewed or closed on a day by themselves; `told` is of how many the customers are told. */
export interface SeveralFacts {
  renewed: number
  ended: number
  expired: number
  told: number
}

/** What the owner reads in the app about that, and where it leads. */
export function severalText(counts: SeveralFacts) {
  const parts = [
    { count: counts.renewed, what: 'renewed automatically' },
    { count: counts.ended, what: 'ended' },
    { count: counts.expired, what: 'expired' },
  ].filter(({ count }) => count > 0)
  const told = counts.told === 0 ? '' : ` The customers of ${counts.told.toLocaleString('en-US')} of them get an email.`
  return {
    title: 'Contracts were renewed or closed',
    message: `Today ${parts.map(({ count, what }) => `${count.toLocaleString('en-US')} ${what}`).join(', ')}.${told}`,
    actionUrl: '/contracts',
  }
}
