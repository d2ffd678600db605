import { Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { FileTextIcon, UploadIcon } from '@radix-ui/react-icons'
import { useState, type DragEvent } from 'react'
import { DropHint } from './drop-hint.tsx'
import classes from './file-drop.module.css'
import { bringsFiles, useNoStrayFiles } from './stray-files.ts'

interface FileDropProps {
  /** Names the field. */
  label: string
  /** What is accepted, in words. */
  hint: string
  /** What the browser offers to choose from, as in ".csv,.xlsx". What is dropped may be anything. */
  accept: string
  file: File | undefined
  onFile: (file: File) => void
}

/** A field for one file: chosen by mouse or keyboard, or dropped anywhere on it. */
export function FileDrop({ label, hint, accept, file, onFile }: FileDropProps) {
  useNoStrayFiles()
  const [several, setSeveral] = useState(false)
  const take = (files: Iterable<File>) => {
    const [only, ...others] = files
    setSeveral(others.length > 0)
    if (only && others.length === 0) onFile(only)
  }
  const [isOver, setOver] = useState(false)
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
  }
  const drop = (event: DragEvent) => {
    setOver(false)
    if (!bringsFiles(event)) return
    event.preventDefault()
    take(event.dataTransfer.files)
  }
  const target = { onDragOver: (event: DragEvent) => setOver(bringsFiles(event)), onDragLeave: leave, onDrop: drop }
  return (
    <label className={classes.zone} data-drop={isOver || undefined} {...target}>
      <VisuallyHidden>
        <input
          type="file"
          aria-label={label}
          accept={accept}
          onChange={({ currentTarget }) => {
            take(currentTarget.files ?? [])
            // Lets the same file be chosen again.
            currentTarget.value = ''
          }}
        />
      </VisuallyHidden>
      <ThemeIcon variant="light" size={44} radius="xl" aria-hidden>
        {file ? <FileTextIcon width={20} height={20} /> : <UploadIcon width={20} height={20} />}
      </ThemeIcon>
      <Stack gap={2} align="center" ta="center" maw="100%" role="status">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {file ? file.name : <DropHint otherwise="Choose a file">Choose a file, or drop it here</DropHint>}
        </Text>
        <Text size="sm" c="dimmed">
          {file ? `${sizeText(file.size)} · Choose another` : hint}
        </Text>
        {several && (
          <Text size="sm" c="red">
            Drop one file at a time
          </Text>
        )}
      </Stack>
    </label>
  )
}

const MEGABYTE = 1024 * 1024

/** As in "0.3 MB", and in KB what is less than that. */
function sizeText(bytes: number): string {
  if (bytes >= MEGABYTE / 10) return `${(bytes / MEGABYTE).toFixed(1)} MB`
  return `${Math.ceil(bytes / 1024)} KB`
}
