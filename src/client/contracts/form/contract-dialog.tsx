import { isDay } from '#shared/domain/day.ts'
import { failureText } from '#client/api/failure-text.ts'
import { EntityDialog } from '#client/forms/entity-dialog.tsx'
import { MailNotice } from '#client/mail/mail-notice.tsx'
import { useAnnouncedMail } from '#client/mail/use-announced-mail.ts'
import { ByItself } from '#client/renewals/by-itself.tsx'
import { tagsIn } from '#client/tags/tags-text.ts'
import { ContractFields, contractValues, type ContractValues } from './contract-fields.tsx'
import { CONTRACT_DIALOG_PAGES, type ContractDialogPage } from './contract-dialog-pages.ts'
import {
  CONTRACT_CONFLICTS,
  dollarsOf,
  isMuted,
  useContractForm,
  useSaveContract,
  type Contract,
} from './contract-form.ts'

interface ContractDialogProps {
  opened: boolean
  /** The page it is on, which decides its texts and the status of a new contract. */
  page: ContractDialogPage
  /** The contract to edit; without it the dialog adds one. */
  contract?: Contract | undefined
  /** The account's first contract starts as active, so that the figures show it. */
  isFirst?: boolean
  /** It is on the page of the same contract. */
  onOwnPage?: boolean
  onAdded?: ((id: number) => void) | undefined
  onClose: () => void
}

export function ContractDialog({ opened, page, contract, onClose, ...rest }: ContractDialogProps) {
  const { isFirst = false, onOwnPage = false, onAdded } = rest
  const form = useContractForm(page)
  const save = useSaveContract(contract, onAdded)
  const announced = useAnnouncedMail({ ...form.values, tags: tagsIn(form.values.tags) }, contract)
  const { required, failure } = CONTRACT_DIALOG_PAGES[page]
  return (
    <EntityDialog
      opened={opened}
      noun="Contract"
      isNew={!contract}
      form={form}
      valuesAtStart={() => contractValues(contract, page, isFirst)}
      save={(values, before) => save(announced.mayStillBeMuted() ? values : { ...values, mutedDate: null }, before)}
      failureOf={(error) => ({ text: failureText(error, failure) })}
      confirm={announced.confirmShown}
      error={Object.values(form.errors).includes(true) ? required : undefined}
      openIn={onOwnPage ? undefined : '/contracts/$id'}
      conflictFields={CONTRACT_CONFLICTS}
      onClose={onClose}
    >
      <ContractFields form={form} />
      {contract && <ByItself contract={contract} changes={changesOf(form.values)} />}
      <MailNotice
        announced={announced}
        customerName={form.values.customerName}
        isMuted={isMuted(form.values)}
        onMute={(muted) => form.setFieldValue('mutedDate', muted ? form.values.renewalDate : null)}
      />
    </EntityDialog>
  )
}

/** What decides what will happen to the contract, as far as it can be read. */
function changesOf({ renews, renewalDate, status, startDate, renewalCycle, amount: text }: ContractValues) {
  const amount = dollarsOf(text)
  return {
    renews,
    status,
    renewalCycle,
    ...(isDay(renewalDate) && { renewalDate }),
    ...(isDay(startDate) && { startDate }),
    ...(amount > 0 && { amount }),
  }
}
