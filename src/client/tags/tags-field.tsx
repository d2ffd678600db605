import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { TagsInput } from '@mantine/core'
import { LONGEST_TAG, MOST_TAGS, uniqueTags } from '#shared/domain/tags.ts'
import { trpc } from '#client/api/trpc.ts'
import { tagsIn } from './tags-text.ts'

interface TagsFieldProps {
  label?: string
  placeholder?: string
  /** Separated by commas. */
  value?: string
  error?: string
  onChange?: (value: string) => void
}

/** Tags that are typed or chosen from those that the account has. */
export function TagsField({ label = 'Tags', placeholder, value = '', error, onChange }: TagsFieldProps) {
  const known = trpc.tags.list.useQuery()
  const tags = tagsIn(value)
  const change = (written: string[]) => onChange?.(uniqueTags(written.flatMap(withoutSeparators)).join(','))
  return (
    <TagsInput
      label={label}
      placeholder={tags.length === 0 ? (placeholder ?? 'Type a tag, then Enter') : undefined}
      data={known.data?.map(({ name }) => name) ?? []}
      value={tags}
      error={error}
      maxTags={MOST_TAGS}
      maxLength={LONGEST_TAG}
      splitChars={[',', ';']}
      acceptValueOnBlur
      clearable
      comboboxProps={{ withinPortal: true }}
      onChange={change}
    />
  )
}

function withoutSeparators(tag: string): string[] {
  return tag.split(/[,;]/).flatMap((part) => part.trim() || [])
}
