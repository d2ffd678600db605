// One chunk for these dialogs.
export { EndDialog } from './end-dialog.tsx'
export { RenewDialog } from './renew-dialog.tsx'
export { ReopenContract } from './reopen-contract.tsx'
