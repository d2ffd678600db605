import { failureText } from '#client/api/failure-text.ts'
import { useDialogForm } from '#client/forms/use-dialog-form.ts'
import { useOpenSaved } from '#client/list/use-open-saved.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ContractFields, contractValues } from './contract-fields.tsx'
import { CONTRACT_DIALOG_PAGES, type ContractDialogPage } from './contract-dialog-pages.ts'
import { MailNotice } from './mail-notice.tsx'
import { isMuted, useContractForm, useSaveContract, type Contract } from './contract-form.ts'
import { useAnnouncedMail } from './use-announced-mail.ts'

interface ContractDialogProps {
  opened: boolean
  /** Where the dialog stands: it decides on the texts and on the status that a new contract gets. */
  page: ContractDialogPage
  /** What is edited; nothing where a contract is added. */
  contract?: Contract | undefined
  /** The account's first: it starts as active, so that the figures show it. */
  isFirst?: boolean
  /** The details of the same contract wait below it. */
  overDetails?: boolean
  onAdded?: ((id: number) => void) | undefined
  onClose: () => void
}

/** Adds a contract, or edits one. */
export function ContractDialog({ opened, page, contract, onClose, ...rest }: ContractDialogProps) {
  const { isFirst = false, overDetails = false, onAdded } = rest
  const form = useContractForm(page)
  const save = useSaveContract(contract, onAdded)
  const announced = useAnnouncedMail(form.values, contract)
  const open = useOpenSaved('/contracts')
  const { failure, setFailure, unsaved, close, succeed } = useDialogForm({
    form,
    opened,
    valuesAtStart: () => contractValues(contract, page, isFirst),
    onClose,
  })
  const submit = form.onSubmit(
    async (values) => {
      if (!opened) return
      setFailure(undefined)
      if (!(await announced.confirmShown())) return toastFailure(NOT_SAVED)
      const fail = (error: unknown) => setFailure(failureText(error, CONTRACT_DIALOG_PAGES[page].failure))
      await save(values, form.getInitialValues()).then(
        ({ id, said }) => succeed(said, overDetails ? undefined : () => open(id)),
        fail,
      )
    },
    (errors) => {
      setFailure(undefined)
      form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
    },
  )
  const isIncomplete = Object.values(form.errors).includes(true)
  const title = contract ? 'Edit Contract' : 'Add Contract'
  return (
    <FormDialog
      opened={opened}
      title={title}
      submitLabel={contract ? 'Save Changes' : title}
      busy={form.submitting}
      unsaved={unsaved}
      error={isIncomplete ? CONTRACT_DIALOG_PAGES[page].required : failure}
      onSubmit={submit}
      onClose={close}
    >
      <ContractFields form={form} />
      <MailNotice
        announced={announced}
        customerName={form.values.customerName}
        isMuted={isMuted(form.values)}
        onMute={(muted) => form.setFieldValue('mutedDate', muted ? form.values.renewalDate : null)}
      />
    </FormDialog>
  )
}

const NOT_SAVED = 'Not saved yet. Check which emails will be sent, then save again.'
