/** What stands in place of the secret part of a link. */
export const HIDDEN = '[hidden]'

/**
 * The text with the secrets of its links to TRAXX hidden, whatever they open: of each only the first part of the path
 * stays, which says what the link is for. Links to other places stay as they are.
 */
export function hideOwnLinks(text: string, publicUrl: string): string {
  const escaped = publicUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const own = new RegExp(String.raw`(${escaped}/[\w-]+)[/?#]\S*`, 'gi')
  return text.replaceAll(own, `$1/${HIDDEN}`)
}
