import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Stands where the sections of a screen will, each as high as that. */
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
