/** Why a change that was made from an older state is not saved. */
export const EDIT_REFUSALS = {
  CUSTOMER_CHANGED: {
    code: 'PRECONDITION_FAILED',
    message: 'This customer has been changed since you opened it',
  },
  CONTRACT_CHANGED: {
    code: 'PRECONDITION_FAILED',
    message: 'This contract has been changed since you opened it',
  },
  CONTACT_CHANGED: {
    code: 'PRECONDITION_FAILED',
    message: 'This contact has been changed since you opened it',
  },
} as const
