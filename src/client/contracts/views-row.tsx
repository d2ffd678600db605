import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { isShown, searchOfView } from './view-search.ts'

type Opened = 'save' | 'edit' | 'columns'

const Dialogs = onDemand(async () => (await import('./views-dialogs.tsx')).ViewsDialogs)

interface ViewsRowProps {
  search: ContractsSearch
  onSearch: (changes: Partial<ContractsSearch>) => void
}

/** The saved views as links, and what can be done with them and the columns. Its place is kept while they load. */
export function ViewsRow({ search, onSearch }: ViewsRowProps) {
  const { data: views = [] } = trpc.views.list.useQuery()
  const [dialog, setDialog] = useState<{ name: Opened; opened: boolean }>({ name: 'save', opened: false })
  const isRefused = useReadOnlyGuard()
  const open = (name: Opened) => setDialog({ name, opened: true })
  const change = (name: Opened) => isRefused() || open(name)
  const current = views.find((view) => isShown(view.search, search))
  return (
    <Group gap="xs" {...whenButtonNears(Dialogs.prefetch)}>
      <Group gap="xs" component="nav" aria-label="Saved Views" flex="1 1 auto">
        {views.map((view) => (
          <Button
            key={view.id}
            size="xs"
            maw="100%"
            variant={view === current ? 'filled' : 'default'}
            aria-current={view === current ? 'page' : undefined}
            renderRoot={(props) => <Link to="/contracts" search={searchOfView(view.search)} {...props} />}
          >
            {view.name}
          </Button>
        ))}
        {!current && (
          <Button size="xs" variant="subtle" onClick={() => change('save')}>
            Save View
          </Button>
        )}
        {views.length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => change('edit')}>
            Edit Views
          </Button>
        )}
      </Group>
      <Button size="xs" variant="subtle" onClick={() => open('columns')}>
        Columns
      </Button>
      <Dialogs.Part
        wanted={dialog.opened}
        dialog={dialog}
        search={search}
        onSearch={onSearch}
        onClose={() => setDialog({ ...dialog, opened: false })}
      />
    </Group>
  )
}
