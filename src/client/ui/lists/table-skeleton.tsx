import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Shown where a table is loading. */
export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <Stack gap="sm" p="md" role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={40} />
      ))}
    </Stack>
  )
}
