import { ActionIcon, Box, Button, Group } from '@mantine/core'
import { DotsHorizontalIcon, DownloadIcon, FileTextIcon, UploadIcon } from '@radix-ui/react-icons'
import { useRef, useState, type ReactNode } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { Query } from '#client/api/rest-request.ts'
import { Dropdown } from '#client/ui/dropdown.tsx'
import classes from '#client/ui/dropdown.module.css'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { useDownload } from '#client/identity/use-download.ts'
import { templateFile } from './import-texts.ts'

const Dialog = onDemand(async () => (await import('./bulk-upload-dialog.tsx')).BulkUploadDialog)

interface BulkActionsProps {
  kind: ImportKind
  /** The filter and order of the list on the page. */
  filter: Query
}

interface Action {
  label: string
  icon: ReactNode
  busy: boolean
  onAct: () => void
}

const EXPORT_FAILED: Record<ImportKind, string> = {
  customers: 'Failed to export customers',
  contracts: 'Failed to export contracts',
}

/** Template, upload and export, for the header of a list. On a small screen they are in one menu. */
export function BulkActions({ kind, filter }: BulkActionsProps) {
  const { save, busy } = useDownload()
  const [opened, setOpened] = useState(false)
  const template = templateFile(kind)
  const list = { path: `/${kind}/export.csv`, query: filter, failed: EXPORT_FAILED[kind] }
  const actions: Action[] = [
    {
      label: 'Download Template',
      icon: <FileTextIcon aria-hidden />,
      busy: busy === template.path,
      onAct: () => save(template),
    },
    { label: 'Bulk Upload', icon: <UploadIcon aria-hidden />, busy: false, onAct: () => setOpened(true) },
    { label: 'Export CSV', icon: <DownloadIcon aria-hidden />, busy: busy === list.path, onAct: () => save(list) },
  ]
  return (
    <>
      <Group gap="sm" visibleFrom="md" {...whenButtonNears(Dialog.prefetch)}>
        {actions.map(({ label, icon, busy: loading, onAct }) => (
          <Button key={label} variant="default" leftSection={icon} loading={loading} onClick={onAct}>
            {label}
          </Button>
        ))}
      </Group>
      <ActionsMenu actions={actions} />
      <Dialog.Part
        wanted={opened}
        kind={kind}
        opened={opened}
        onOpen={() => setOpened(true)}
        onClose={() => setOpened(false)}
      />
    </>
  )
}

function ActionsMenu({ actions }: { actions: Action[] }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Box hiddenFrom="md" pos="relative" flex="none">
      <Dropdown
        role="menu"
        label="More actions"
        width={220}
        trigger={(trigger) => (
          <ActionIcon
            ref={button}
            variant="default"
            size={36}
            aria-label="More actions"
            loading={actions.some(({ busy }) => busy)}
            {...trigger}
          >
            <DotsHorizontalIcon />
          </ActionIcon>
        )}
      >
        {(close) =>
          actions.map(({ label, icon, onAct }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              className={classes.item}
              onClick={() => {
                // The dialog would return the focus to this item, which will be gone.
                button.current?.focus()
                close()
                onAct()
              }}
            >
              {icon}
              {label}
            </button>
          ))
        }
      </Dropdown>
    </Box>
  )
}
