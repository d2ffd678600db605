import { TagsField } from '#client/tags/tags-field.tsx'

interface TagFieldsProps {
  /** Separated by commas. */
  values: { add: string; remove: string }
  onChange: (changes: { add?: string; remove?: string }) => void
}

/** Which tags contracts get and lose. */
export function TagFields({ values: { add, remove }, onChange }: TagFieldsProps) {
  return (
    <>
      <TagsField label="Add Tags" value={add} onChange={(tags) => onChange({ add: tags })} />
      <TagsField label="Remove Tags" value={remove} onChange={(tags) => onChange({ remove: tags })} />
    </>
  )
}
