/** The nonce that the page's content security policy requires of styles; undefined in development, which has no policy. */
export function styleNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}
