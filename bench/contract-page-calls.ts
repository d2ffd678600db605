interface Ids {
  id: number
  customerId: number
}

/** What the page of a contract asks for when it is opened, besides what every screen does. */
export function contractPageCalls({ id, customerId }: Ids) {
  const about = { about: 'contract', id }
  return {
    'contracts.get': { id },
    'contracts.terms': { id },
    'reminders.ofContract': { id },
    'answers.list': { contractId: id, limit: 100 },
    'noticeRules.list': undefined,
    'contacts.list': { id: customerId },
    'notes.list': about,
    'activity.list': { ...about, limit: 5 },
  }
}
