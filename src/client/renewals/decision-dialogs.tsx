// One chunk for both dialogs.
export { EndDialog } from './end-dialog.tsx'
export { RenewDialog } from './renew-dialog.tsx'
