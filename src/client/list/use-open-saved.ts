import { useRouter } from '@tanstack/react-router'

/** Opens a record over its list. The list keeps its filter if it is on screen already. */
export function useOpenSaved(list: '/contracts' | '/customers') {
  const router = useRouter({ warn: false })
  return (id: number) => {
    const isThere = router.state.location.pathname === list
    void router.navigate({
      to: list,
      search: (before) => ({ ...(isThere && before), open: id }),
      replace: isThere,
      resetScroll: !isThere,
    })
  }
}
