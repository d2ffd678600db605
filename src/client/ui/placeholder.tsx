import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Shown where the sections of a screen are loading, each with its height. */
export function Placeholder({ heights }: { heights: number[] }) {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      {heights.map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  )
}
