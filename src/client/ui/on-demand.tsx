import { useEffect, useState, type ComponentType, type SyntheticEvent } from 'react'
import { OnDemandState } from './on-demand-state.tsx'

type OnDemandProps<Props> = Props & {
  /** True from when it is first shown; it then stays mounted. */
  wanted: boolean
}

/**
 * A part of a screen that is loaded when it is needed, or shortly before: dialogs and forms weigh more than the screens
 * they open from. If loading fails, the part says so and offers a retry.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let found: ComponentType<Props> | undefined
  const fetchPart = async () => (found ??= await load())

  function Part(props: OnDemandProps<Props>) {
    const { wanted } = props
    const [Loaded, setLoaded] = useState(() => found)
    const [failures, setFailures] = useState(0)
    const [asked, setAsked] = useState(0)
    useEffect(() => {
      if (!wanted) return undefined
      let isUnmounted = false
      fetchPart().then(
        (part) => isUnmounted || setLoaded(() => part),
        () => isUnmounted || setFailures((before) => before + 1),
      )
      return () => {
        isUnmounted = true
      }
    }, [wanted, asked])

    if (Loaded) return <Loaded {...props} />
    if (!wanted) return null
    // After two failures it probably belongs to a build that the server no longer has.
    const retry = () => (failures > 1 ? location.reload() : setAsked(failures))
    return <OnDemandState failed={failures > asked} onRetry={retry} />
  }

  return { Part, load: fetchPart, prefetch: () => void fetchPart().catch(() => undefined) }
}

/** Prefetches when the pointer or the focus reaches a button inside. */
export function whenButtonNears(...prefetches: (() => void)[]) {
  const near = ({ target }: SyntheticEvent) => {
    if (target instanceof Element && target.closest('button')) for (const prefetch of prefetches) prefetch()
  }
  return { onPointerOver: near, onFocus: near }
}
